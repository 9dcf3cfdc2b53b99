import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findDriver } from '../../../agent/readers/drivers.ts';
import type { Reader } from '../../../agent/readers/reader.ts';
import { startHardwareTerminal, ensureReaderTerminal } from '../../../cli/readers/hardware-terminal.ts';
import type { CommandContext } from '../../../cli/command-line/command-context.ts';
import { systemRandom } from '../../../protocol/ids.ts';
import type { ServerApi } from '../../../cli/client/api-client.ts';

const CREDENTIALS = { clientId: 'tml', username: 'tml', password: 'secret' };
const KEYS = { scheme: 'AES', initialKeyId: '1234567890123456', initialKey: '00'.repeat(16) };

test('startHardwareTerminal: runs without a control link when the server refuses one, until it is closed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'real-terminal-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  let closed = 0;
  const reader: Reader = {
    name: 'of the test',
    authoriser: 'server',
    begin() {},
    awaitCard() {},
    awaitPin() {},
    verifyPin() {},
    end() {},
    close: async () => void (closed += 1),
  };
  const context = { random: systemRandom, interrupted: new AbortController().signal } as CommandContext;
  const started = startHardwareTerminal(context, {
    options: {
      mqtt: 'mqtt://127.0.0.1:1',
      url: 'http://127.0.0.1:1',
      logLevel: 'silent',
      logFormat: undefined,
      dataDir,
      allowAnyCard: false,
      allowRealTerminal: false,
    },
    api: {
      request: async (_, path) =>
        path === '/pairing/simulators'
          ? { status: 404, body: {} }
          : { status: 200, body: { ...CREDENTIALS, keys: KEYS } },
    },
    terminalId: 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA',
    settings: { members: undefined, ca: undefined },
    driver: {
      ...findDriver('pn532')!,
      load: async () => ({ createReader: () => reader, async *diagnose() {} }),
    },
    port: '/dev/null',
    onScreen() {},
    onPrinted() {},
    onOnline() {},
    onRefused() {},
  });
  const terminal = await started;
  expect(closed).toBe(0);
  await terminal!.close();
  expect(closed).toBe(1);
});

interface Registered {
  serialNumber: string;
  name: string;
}

async function registeredFor(port: string): Promise<Registered> {
  const bodies: Registered[] = [];
  const api = {
    list: async () => [],
    call: async (operation: string, { body }: { body: Registered }) => {
      if (operation === 'POST /v1/in-person/terminals') bodies.push(body);
      return { id: 'tml_1' };
    },
  } as unknown as ServerApi;
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
