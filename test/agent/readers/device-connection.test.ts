import { expect, test } from 'vitest';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { createDeviceConnection, type DeviceConnection } from '../../../agent/readers/device-connection.ts';
import type { FrameChannel } from '../../../agent/readers/frame-channel.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { silentLog } from '../../../protocol/log.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

/** A connection to a device with one-byte frames. It responds to each with the next higher byte, and not to 0. */
function fixture() {
  const clock = new VirtualClock(0);
  const changes: (string | undefined)[] = [];
  const onUnsolicited: number[] = [];
  const state = {
    plugged: true,
    broken: false,
    opened: 0,
    deaf: false,
    /** Whether the device is gone, and only a write shows it yet. */
    failing: false,
    device: undefined as BytePort | undefined,
  };
  const connection: DeviceConnection<number> = createDeviceConnection<number>({
    clock,
    log: silentLog,
    settings: { baudRate: 9600 },
    async open() {
      state.opened++;
      if (!state.plugged) throw new Fault('reader', 'no such port');
      const [host, device] = bytePipe({ clock });
      state.device = device;
      state.deaf = state.broken;
      device.onData((bytes) => {
        if (!state.deaf && bytes[0] !== 0) void device.write(bytes.map((byte) => byte + 1));
      });
      const write: BytePort['write'] = async (bytes) => {
        if (state.failing) throw new Fault('reader', 'pipe: Input/output error');
        await host.write(bytes);
      };
      return { ...host, write };
    },
    parser: () => ({ push: (bytes) => [...bytes] }),
    handshake: async (channel) => {
      await channel.send(Uint8Array.of(100));
      if ((await channel.receive(100)) !== 101) throw new Fault('reader', 'nobody answers');
    },
    onUnsolicited: (frame) => onUnsolicited.push(frame),
    onChange: (reason) => changes.push(reason),
  });
  return { clock, connection, changes, onUnsolicited, state };
}

const ask =
  (byte: number, limitMs = 100) =>
  async (channel: FrameChannel<number>) => {
    await channel.send(Uint8Array.of(byte));
    return channel.receive(limitMs);
  };

test('device connection: opens at the first exchange, runs the handshake, and runs one exchange at a time', async () => {
  const { clock, connection, state, changes } = fixture();
  expect(state.opened).toBe(0);
  const answers = Promise.all([
    connection.exchange(1_000, ask(1)),
    connection.exchange(1_000, ask(5)),
    connection.exchange(1_000, ask(0)),
  ]);
  await clock.advance(1_000);
  expect(await answers).toEqual([2, 6, undefined]);
  expect(state.opened).toBe(1);
  expect(changes).toEqual([undefined]);
});

test('device connection: a write that fails closes the connection, and the next exchange opens it again', async () => {
  const { clock, connection, state, changes } = fixture();
  const first = connection.exchange(1_000, ask(1));
  await clock.advance(10);
  expect(await first).toBe(2);
  state.failing = true;
  expect(await connection.exchange(1_000, ask(1)).catch(messageOf)).toBe('pipe: Input/output error');
  state.failing = false;
  const answer = connection.exchange(1_000, ask(3));
  await clock.advance(10);
  expect(await answer).toBe(4);
  expect(changes).toEqual([undefined, 'pipe: Input/output error', undefined]);
  expect(state.opened).toBe(2);
});

test('device connection: an unplugging fails the running exchange, and the connection reopens by itself', async () => {
  const { clock, connection, state, changes } = fixture();
  const waiting = connection.exchange(60_000, (channel) => channel.receive(60_000)).catch(messageOf);
  await clock.advance(1_000);
  state.plugged = false;
  void state.device!.close();
  await clock.advance(1_000);
  expect(await waiting).toBe('pipe: the other end hung up');
  const refused = connection.exchange(1_000, ask(1)).catch(messageOf);
  await clock.advance(10_000);
  expect(await refused).toBe('no such port');
  expect(connection.isOpen).toBe(false);

  state.plugged = true;
  await clock.advance(5_000);
  expect(connection.isOpen).toBe(true);
  expect(changes).toEqual([undefined, 'the other end hung up', undefined]);
  const answer = connection.exchange(1_000, ask(1));
  await clock.advance(10);
  expect(await answer).toBe(2);
});

test('device connection: reopens at growing intervals, and not after it is closed', async () => {
  const { clock, connection, state } = fixture();
  const first = connection.exchange(1_000, ask(1));
  await clock.advance(10);
  await first;
  state.plugged = false;
  void state.device!.close();
  await clock.advance(60_000);
  expect(state.opened).toBeGreaterThan(10);
  expect(state.opened).toBeLessThan(20);
  await connection.close();
  const before = state.opened;
  await clock.advance(60_000);
  expect(state.opened).toBe(before);
  expect(await connection.exchange(1_000, ask(1)).catch(messageOf)).toBe('the reader is closed');
});

test('device connection: an exchange that takes too long closes it, and the next exchange reopens it', async () => {
  const { clock, connection, state } = fixture();
  const slow = connection.exchange(500, (channel) => channel.receive(10_000)).catch(messageOf);
  const next = connection.exchange(500, ask(7));
  await clock.advance(1_000);
  expect(await slow).toBe('the reader took too long');
  expect(await next).toBe(8);
  expect(state.opened).toBe(2);
});

test('device connection: repeats the handshake after 30 s without frames, and finds an unnoticed disconnection', async () => {
  const { clock, connection, state } = fixture();
  const first = connection.exchange(1_000, ask(1));
  await clock.advance(10);
  await first;
  state.deaf = true;
  await clock.advance(31_000);
  const answer = connection.exchange(1_000, ask(1));
  await clock.advance(1_000);
  expect(await answer).toBe(2);
  expect(state.opened).toBe(2);
});

test('device connection: passes frames outside an exchange to onUnsolicited, not to the next exchange', async () => {
  const { clock, connection, state, onUnsolicited } = fixture();
  const first = connection.exchange(1_000, ask(1));
  await clock.advance(10);
  await first;
  void state.device!.write(Uint8Array.of(40, 41));
  await clock.advance(10);
  const second = connection.exchange(1_000, ask(1));
  await clock.advance(10);
  expect(await second).toBe(2);
  expect(onUnsolicited).toEqual([40, 41]);
});

test('device connection: a failed handshake rejects the exchange with its message', async () => {
  const { clock, connection, state } = fixture();
  state.broken = true;
  const first = connection.exchange(1_000, ask(1)).catch(messageOf);
  await clock.advance(1_000);
  expect(await first).toBe('nobody answers');
  expect(connection.isOpen).toBe(false);
});
