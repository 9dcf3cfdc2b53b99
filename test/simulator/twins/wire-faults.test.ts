import { expect, test } from 'vitest';
import { messageOf } from '../../../protocol/failures.ts';
import { MESSAGE_FAULTS, type MessageFault } from '../../../protocol/line-faults.ts';
import {
  BAD_WIRE,
  messageFaultsOf,
  openWithWireFaults,
  withMessageFaults,
  withWireFaults,
  type WireFaults,
} from '../../../simulator/twins/wire-faults.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

const GOOD_WIRE: WireFaults = {
  noiseRate: 0,
  lossRate: 0,
  changeRate: 0,
  splitRate: 0,
  joinRate: 0,
  joinMs: { min: 1, max: 20 },
  delayMs: { min: 0, max: 0 },
  downMs: { min: 1_000, max: 1_001 },
};

/** What arrives, and when, of fifty writes of ten bytes. */
async function traffic(seed: string, faults: Partial<WireFaults>) {
  const clock = new VirtualClock(0);
  const [host, device] = bytePipe({ clock });
  const faulty = withWireFaults(host, { clock, seed, faults: { ...GOOD_WIRE, ...faults } });
  const heard: { atMs: number; bytes: number[] }[] = [];
  device.onData((bytes) => heard.push({ atMs: clock.nowMs(), bytes: [...bytes] }));
  for (let n = 0; n < 50; n++) {
    await faulty.write(new Uint8Array(10).fill(n));
    await clock.advance(10);
  }
  await clock.advance(1_000);
  return { heard, all: heard.flatMap(({ bytes }) => bytes) };
}

const SENT = Array.from({ length: 500 }, (_, n) => Math.floor(n / 10));

test('wire faults: with all rates 0 nothing changes', async () => {
  const { heard, all } = await traffic('any', {});
  expect(all).toEqual(SENT);
  expect(heard).toHaveLength(50);
});

test('wire faults: the same seed gives the same faults, another seed others', async () => {
  const faults = { ...BAD_WIRE, upMs: undefined };
  const first = await traffic('one', faults);
  expect(await traffic('one', faults)).toEqual(first);
  expect((await traffic('two', faults)).heard).not.toEqual(first.heard);
});

test('wire faults: splitting, joining and delay keep every byte and its order', async () => {
  const { heard, all } = await traffic('any', {
    splitRate: 0.5,
    joinRate: 0.3,
    delayMs: { min: 0, max: 50 },
  });
  expect(all).toEqual(SENT);
  expect(heard.some(({ bytes }) => bytes.length < 10)).toBe(true);
  expect(heard.some(({ bytes }) => bytes.length > 10)).toBe(true);
});

test('wire faults: bytes are lost, changed and added', async () => {
  expect((await traffic('any', { lossRate: 1 })).all).toHaveLength(450);
  const changed = (await traffic('any', { changeRate: 1 })).all;
  expect(changed.filter((byte, n) => byte !== SENT[n])).toHaveLength(50);
  expect((await traffic('any', { noiseRate: 1 })).all.length).toBeGreaterThan(550);
});

test('wire faults: a device is unplugged for a time, and can be opened again', async () => {
  const clock = new VirtualClock(0);
  const faults = { ...GOOD_WIRE, upMs: { min: 500, max: 600 } };
  const open = openWithWireFaults(async () => bytePipe({ clock })[0], { clock, seed: 'any', faults });
  const port = await open({ baudRate: 9600 });
  let closed = 0;
  port.onClose(() => closed++);
  await clock.advance(700);
  expect(closed).toBe(1);
  expect(await port.write(Uint8Array.of(1)).catch(messageOf)).toBe('pipe is closed');
  expect(await open({ baudRate: 9600 }).then(String, messageOf)).toBe('the device is unplugged');
  await clock.advance(1_000);
  await expect(open({ baudRate: 9600 })).resolves.toBeDefined();
});

/** What arrives, and when, of two messages and an acknowledgement, the first message with a fault. */
async function messages(fault: MessageFault) {
  const clock = new VirtualClock(0);
  const [host, device] = bytePipe({ clock });
  const heard: string[] = [];
  host.onData((bytes) => heard.push(`${clock.nowMs()}: ${[...bytes].join(' ')}`));
  host.onClose(() => heard.push('closed'));
  let next: { fault: MessageFault } | undefined = { fault };
  const take = () => {
    const taken = next;
    next = undefined;
    return taken;
  };
  const port = withMessageFaults(device, { clock, take });
  await port.write(Uint8Array.of(6));
  const sent = port.write(Uint8Array.of(1, 2, 3, 4));
  await clock.advance(20_000);
  await sent;
  await port.write(Uint8Array.of(5, 6, 7, 8)).catch(() => {});
  await clock.advance(1_000);
  return heard;
}

test.each([
  ['lost', ['0: 6', '20000: 5 6 7 8']],
  ['late', ['0: 6', '10000: 1 2 3 4', '20000: 5 6 7 8']],
  ['twice', ['0: 6', '0: 1 2 3 4', '0: 1 2 3 4', '20000: 5 6 7 8']],
  ['split', ['0: 6', '0: 1 2', '100: 3 4', '20000: 5 6 7 8']],
  ['corrupt', ['0: 6', '0: 1 2 2 4', '20000: 5 6 7 8']],
  ['cut', ['0: 6', 'closed']],
] as const)('message faults: one message is %s, and no acknowledgement is', async (fault, heard) => {
  expect(await messages(fault)).toEqual(heard);
});

test('message faults: nothing is drawn for a message on a closed line', async () => {
  const clock = new VirtualClock(0);
  const [host, device] = bytePipe({ clock });
  let taken = 0;
  const port = withMessageFaults(device, { clock, take: () => void (taken += 1) });
  await port.write(Uint8Array.of(1, 2, 3, 4));
  await host.close();
  await clock.advance(10);
  expect(await port.write(Uint8Array.of(1, 2, 3, 4)).catch(messageOf)).toContain('closed');
  expect(taken).toBe(1);
});

test('message faults: the same seed gives the same faults of all kinds, to some of the messages', () => {
  const drawn = (seed: string) => {
    const next = messageFaultsOf(seed);
    return Array.from({ length: 600 }, () => next());
  };
  expect(drawn('one')).toEqual(drawn('one'));
  expect(drawn('one')).not.toEqual(drawn('two'));
  const kinds = drawn('one').flatMap((struck) => (struck ? [struck.fault] : []));
  expect(new Set(kinds)).toEqual(new Set(MESSAGE_FAULTS));
  expect(kinds.length).toBeGreaterThan(30);
  expect(kinds.length).toBeLessThan(120);
});
