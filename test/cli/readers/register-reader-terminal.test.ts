import { expect, test } from 'vitest';
import type { Api } from '../../../cli/client/api-client.ts';
import { ensureReaderTerminal } from '../../../cli/readers/register-reader-terminal.ts';

interface Registered {
  serialNumber: string;
  name: string;
}

async function registeredFor(port: string): Promise<Registered> {
  const bodies: Registered[] = [];
  const api = {
    list: async () => [],
    post: async (path: string, body: Registered) => {
      if (path.endsWith('/terminals')) bodies.push(body);
      return { id: 'tml_1' };
    },
  } as unknown as Api;
  await ensureReaderTerminal(api, 'pn532', port);
  return bodies[0]!;
}

const byId = (serial: string) =>
  `/dev/serial/by-id/usb-Silicon_Labs_CP2102_USB_to_UART_Bridge_Controller_${serial}-if00-port0`;

test('ensureReaderTerminal: names the terminal by driver and port', async () => {
  expect(await registeredFor('/dev/ttyUSB0')).toMatchObject({
    serialNumber: 'PN532-ttyUSB0',
    name: 'pn532 at /dev/ttyUSB0',
  });
});

test('ensureReaderTerminal: cuts a long port name so that two of a kind stay distinct', async () => {
  const [one, two] = [await registeredFor(byId('0001')), await registeredFor(byId('0002'))];
  for (const { serialNumber, name } of [one, two]) {
    expect(serialNumber).toMatch(/^PN532-[A-Za-z0-9-]{4,34}$/);
    expect(name.length).toBeLessThanOrEqual(50);
  }
  expect(one.serialNumber).not.toBe(two.serialNumber);
});
