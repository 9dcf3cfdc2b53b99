import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { expect, test, onTestFinished, vi } from 'vitest';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { plugInTwin, startTcpTwin, type TcpTwinParts } from '../../../cli/readers/plugged-twin.ts';
import { Fault } from '../../../protocol/failures.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createCardTray, type Twin } from '../../../simulator/twins/twin.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { openTcpPort } from '../../../agent/readers/tcp-port.ts';
import { SystemClock } from '../../../protocol/clock.ts';
import { createTwin } from '../../../simulator/twins/zvt.twin.ts';
import { createCliFixture } from '../cli-fixture.ts';

function plug(open: () => Promise<BytePort>, clock: VirtualClock, made: Twin[]) {
  return plugInTwin({
    open,
    line: { baudRate: 9_600 },
    clock,
    random: seededRandom('twin'),
    log: silentLog,
    tray: createCardTray(),
    createTwin({ port }) {
      const twin: Twin = { name: 'lamp', controls: {}, close: () => port.close() };
      made.push(twin);
      return twin;
    },
  });
}

test('plugInTwin: creates the device again when its line can be opened', async () => {
  const clock = new VirtualClock(0);
  const made: Twin[] = [];
  const cables: BytePort[] = [];
  let away = 0;
  const plugged = await plug(
    async () => {
      if (away > 0) {
        away -= 1;
        throw new Fault('reader', 'the device is unplugged');
      }
      const [host, device] = bytePipe({ clock });
      cables.push(host);
      return device;
    },
    clock,
    made,
  );
  expect(plugged.device).toBe(made[0]);

  away = 2;
  await cables[0]!.close();
  await clock.advance(1);
  expect(plugged.device).toBeUndefined();
  await clock.advance(500);
  expect(plugged.device).toBeUndefined();
  await clock.advance(250);
  expect(plugged.device).toBe(made[1]);

  await plugged.close();
  await clock.advance(1_000);
  expect(made).toHaveLength(2);
  expect(clock.due).toEqual([]);
});

async function listen(port = 0, more: Pick<TcpTwinParts, 'fault'> = {}) {
  const twin = await startTcpTwin({
    port,
    createTwin,
    clock: new SystemClock(),
    random: seededRandom('twin'),
    log: silentLog,
    tray: createCardTray(),
    ...more,
  });
  onTestFinished(() => twin.close());
  return twin;
}

function connect(address: string): Socket {
  const { hostname, port } = new URL(address);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a command, waits for so many bytes, and answers the last message. */
async function exchange(socket: Socket, hex: string, bytes: number): Promise<string> {
  socket.write(Buffer.from(hex, 'hex'));
  let heard = Buffer.alloc(0);
  while (heard.length < bytes) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    heard = Buffer.concat([heard, chunk]);
  }
  socket.write(Buffer.from('800000', 'hex'));
  return heard.toString('hex').toUpperCase();
}

const STATUS_ENQUIRY = '0501050000000302';

test('startTcpTwin: answers messages without framing on the loopback address', async () => {
  const twin = await listen();
  expect(twin.address).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/);
  expect(twin.device).toBeUndefined();
  expect(await exchange(connect(twin.address), STATUS_ENQUIRY, 7)).toBe('800000060F0100');
  expect(twin.device?.name).toBe('ZVT terminal');
});

test('startTcpTwin: a fault strikes the message that it is drawn for', async () => {
  const faults = [{ fault: 'twice' }, { fault: 'cut' }] as const;
  let drawn = 0;
  const twin = await listen(0, { fault: () => faults[drawn++] });
  const socket = connect(twin.address);
  const status = '060F0100';
  expect(await exchange(socket, STATUS_ENQUIRY, 11)).toBe(`800000${status}${status}`);
  const closed = once(socket, 'close');
  socket.write(Buffer.from(STATUS_ENQUIRY, 'hex'));
  await closed;
  expect(drawn).toBe(2);
});

test('startTcpTwin: a second connection waits until the first ends', async () => {
  const twin = await listen();
  const first = connect(twin.address);
  await exchange(first, STATUS_ENQUIRY, 7);
  const second = connect(twin.address);
  const answered = exchange(second, STATUS_ENQUIRY, 7);
  await once(second, 'connect');
  // The terminal is still the first one's.
  expect(await exchange(first, STATUS_ENQUIRY, 7)).toBe('800000060F0100');
  first.end();
  expect(await answered).toBe('800000060F0100');
});

test.each([
  ['left', (socket: Socket) => socket.destroy()],
  ['was reset', (socket: Socket) => socket.resetAndDestroy()],
])('startTcpTwin: skips a connection that %s while it waited', async (_what, leave) => {
  const twin = await listen();
  const first = connect(twin.address);
  await exchange(first, STATUS_ENQUIRY, 7);
  const left = connect(twin.address);
  await once(left, 'connect');
  leave(left);
  // By then the twin knows of it.
  await exchange(first, STATUS_ENQUIRY, 7);
  const third = connect(twin.address);
  const answered = exchange(third, STATUS_ENQUIRY, 7);
  first.end();
  expect(await answered).toBe('800000060F0100');
});

test('startTcpTwin: the port of a driver connects to it', async () => {
  const twin = await listen();
  const port = await openTcpPort(twin.address, { port: 20_007, setTo: 'ZVT' })({ baudRate: 9_600 });
  const heard = new Promise<Uint8Array>((resolve) => port.onData(resolve));
  await port.write(Buffer.from(STATUS_ENQUIRY, 'hex'));
  expect(Buffer.from(await heard).toString('hex')).toMatch(/^800000/);
  await port.close();
});

test('startTcpTwin: throws when the port is in use', async () => {
  const { address } = await listen();
  await expect(listen(Number(new URL(address).port))).rejects.toThrow(
    /--tcp \d+ cannot be opened: .*EADDRINUSE/,
  );
});

test('startTcpTwin: closing ends the connection and frees the port', async () => {
  const twin = await listen();
  const socket = connect(twin.address);
  await exchange(socket, STATUS_ENQUIRY, 7);
  // Also a connection that is reset closes.
  const hungUp = new Promise((resolve) => socket.once('close', resolve));
  await twin.close();
  await hungUp;
  expect((await listen(Number(new URL(twin.address).port))).address).toBe(twin.address);
});

test('twin: `help` lists the commands of the device with their arguments', async () => {
  const scene = createCliFixture();
  const ended = scene.run('twin', 'zvt', '--tcp', '0', '--card', 'none');
  // The first test that runs the command loads it.
  await vi.waitUntil(() => scene.out.includes('Type help'), { timeout: 20_000 });
  const address = /tcp:[^,]+/.exec(scene.out)![0];
  await exchange(connect(address), STATUS_ENQUIRY, 7);
  scene.type('help');
  await vi.waitUntil(() => scene.out.includes('card NAME'));
  scene.interrupt();
  expect(await ended).toBe(0);
  expect(scene.out).toContain('card NAME, remove, type DIGITS, confirm, correct, cancel, language de|en|');
});

test.each([[['twin', 'pn532', '--tcp', '0'], '--tcp is not available for pn532']])(
  'twin commands: %j is refused',
  async (argv, why) => {
    const scene = createCliFixture();
    expect(await scene.run(...argv)).not.toBe(0);
    expect(scene.err).toContain(why);
  },
);
