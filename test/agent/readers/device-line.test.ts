import { expect, test } from 'vitest';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { createDeviceLine, type DeviceLine } from '../../../agent/readers/device-line.ts';
import type { Wire } from '../../../agent/readers/wire.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { silentLog } from '../../../protocol/log.ts';
import { bytePipe } from '../../kit/byte-pipe.ts';
import { VirtualClock } from '../../kit/virtual-clock.ts';

/** A device whose frames are single bytes: it answers each by the next higher one, and 0 by nothing. */
function bench() {
  const clock = new VirtualClock(0);
  const changes: (string | undefined)[] = [];
  const unasked: number[] = [];
  const state = {
    plugged: true,
    broken: false,
    opened: 0,
    deaf: false,
    device: undefined as BytePort | undefined,
  };
  const line: DeviceLine<number> = createDeviceLine<number>({
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
      return host;
    },
    parser: () => ({ push: (bytes) => [...bytes] }),
    greet: async (wire) => {
      await wire.send(Uint8Array.of(100));
      if ((await wire.receive(100)) !== 101) throw new Fault('reader', 'nobody answers');
    },
    unasked: (frame) => unasked.push(frame),
    changed: (reason) => changes.push(reason),
  });
  return { clock, line, changes, unasked, state };
}

const ask =
  (byte: number, limitMs = 100) =>
  async (wire: Wire<number>) => {
    await wire.send(Uint8Array.of(byte));
    return wire.receive(limitMs);
  };

test('a line opens at its first exchange, greets, and serves one exchange at a time', async () => {
  const { clock, line, state, changes } = bench();
  expect(state.opened).toBe(0);
  const answers = Promise.all([
    line.exchange(1_000, ask(1)),
    line.exchange(1_000, ask(5)),
    line.exchange(1_000, ask(0)),
  ]);
  await clock.advance(1_000);
  expect(await answers).toEqual([2, 6, undefined]);
  expect(state.opened).toBe(1);
  expect(changes).toEqual([undefined]);
});

test('an exchange under way hears of the unplugging, and the line comes back by itself', async () => {
  const { clock, line, state, changes } = bench();
  const waiting = line.exchange(60_000, (wire) => wire.receive(60_000)).catch(messageOf);
  await clock.advance(1_000);
  state.plugged = false;
  void state.device!.close();
  await clock.advance(1_000);
  expect(await waiting).toBe('pipe: the other end hung up');
  const refused = line.exchange(1_000, ask(1)).catch(messageOf);
  await clock.advance(10_000);
  expect(await refused).toBe('no such port');
  expect(line.up).toBe(false);

  state.plugged = true;
  await clock.advance(5_000);
  expect(line.up).toBe(true);
  expect(changes).toEqual([undefined, 'the other end hung up', undefined]);
  const answer = line.exchange(1_000, ask(1));
  await clock.advance(10);
  expect(await answer).toBe(2);
});

test('reopening is tried less and less often, and not at all once the line is closed', async () => {
  const { clock, line, state } = bench();
  const first = line.exchange(1_000, ask(1));
  await clock.advance(10);
  await first;
  state.plugged = false;
  void state.device!.close();
  await clock.advance(60_000);
  expect(state.opened).toBeGreaterThan(10);
  expect(state.opened).toBeLessThan(20);
  await line.close();
  const before = state.opened;
  await clock.advance(60_000);
  expect(state.opened).toBe(before);
  expect(await line.exchange(1_000, ask(1)).catch(messageOf)).toBe('the reader is closed');
});

test('work that takes too long loses the line, and the next exchange opens it anew', async () => {
  const { clock, line, state } = bench();
  const slow = line.exchange(500, (wire) => wire.receive(10_000)).catch(messageOf);
  const next = line.exchange(500, ask(7));
  await clock.advance(1_000);
  expect(await slow).toBe('the reader took too long');
  expect(await next).toBe(8);
  expect(state.opened).toBe(2);
});

test('a hang-up that nobody saw is found by asking a device that was silent for long', async () => {
  const { clock, line, state } = bench();
  const first = line.exchange(1_000, ask(1));
  await clock.advance(10);
  await first;
  state.deaf = true;
  await clock.advance(31_000);
  const answer = line.exchange(1_000, ask(1));
  await clock.advance(1_000);
  expect(await answer).toBe(2);
  expect(state.opened).toBe(2);
});

test('frames that nobody asked for are told, and are no answer to the next exchange', async () => {
  const { clock, line, state, unasked } = bench();
  const first = line.exchange(1_000, ask(1));
  await clock.advance(10);
  await first;
  void state.device!.write(Uint8Array.of(40, 41));
  await clock.advance(10);
  const second = line.exchange(1_000, ask(1));
  await clock.advance(10);
  expect(await second).toBe(2);
  expect(unasked).toEqual([40, 41]);
});

test('a device that does not answer the greeting fails the exchange in words', async () => {
  const { clock, line, state } = bench();
  state.broken = true;
  const first = line.exchange(1_000, ask(1)).catch(messageOf);
  await clock.advance(1_000);
  expect(await first).toBe('nobody answers');
  expect(line.up).toBe(false);
});
