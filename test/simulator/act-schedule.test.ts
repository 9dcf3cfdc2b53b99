import { expect, test } from 'vitest';
import type { Pace } from '../../protocol/clock.ts';
import type { Link } from '../../protocol/link.ts';
import { encode } from '../../protocol/message.ts';
import { Presence } from '../../protocol/messages/presence.messages.ts';
import { countSending, createActSchedule } from '../../simulator/act-schedule.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const turns = async (count: number) => {
  for (let passed = 0; passed < count; passed += 1) await turn();
};

/** A schedule at a pace that can change, of a terminal whose reports wait until the broker takes them. */
function scheduleAt(first: Pace) {
  let pace = first;
  const taken: (() => void)[] = [];
  const link = { publish: () => new Promise<void>((resolve) => taken.push(resolve)) } as unknown as Link;
  const sending = countSending(() => link);
  const clock = new VirtualClock(0);
  const credentials = { clientId: 'tml_1', username: 'tml_1', password: 'p' };
  const handlers = { online() {}, offline() {}, message() {} };
  const counted = sending.connect({ credentials, subscriptions: [], handlers });
  const acts: string[] = [];
  const schedule = createActSchedule({ clock, pace: () => pace, sending });
  return {
    acts,
    clock,
    setPace: (changed: Pace) => void (pace = changed),
    report: () => counted.publish(encode(Presence, 'tml_1', { online: true })),
    takeReport: () => taken.shift()!(),
    after: (name: string, askedMs?: number) =>
      schedule.after({ askedMs, usualMs: 1_000 }, () => void acts.push(name)),
  };
}

test('act schedule: at a real pace an act takes as long as people and devices do', async () => {
  const { acts, clock, after } = scheduleAt('real');
  expect(after('tap').atMs).toBe(1_000);
  await turns(20);
  await clock.advance(999);
  expect(acts).toEqual([]);
  await clock.advance(1);
  expect(acts).toEqual(['tap']);
});

test('act schedule: at an instant pace an act takes no time, unless a request asks for a delay', async () => {
  const { acts, clock, after } = scheduleAt('instant');
  after('asked', 300);
  expect(after('tap').atMs).toBe(0);
  expect(acts).toEqual([]);
  await turns(20);
  expect(acts).toEqual(['tap']);
  await clock.advance(300);
  expect(acts).toEqual(['tap', 'asked']);
  // Neither comes again when it would have been due at a real pace.
  await clock.advance(2_000);
  expect(acts).toEqual(['tap', 'asked']);
});

test('act schedule: a change of the pace holds from the next act on', async () => {
  const { acts, clock, after, setPace } = scheduleAt('real');
  after('before');
  setPace('instant');
  after('then');
  await turns(20);
  expect(acts).toEqual(['then']);
  await clock.advance(1_000);
  expect(acts).toEqual(['then', 'before']);
});

test('act schedule: an instant act waits until the reports before it are taken', async () => {
  const { acts, after, report, takeReport } = scheduleAt('instant');
  void report();
  after('tap');
  await turns(20);
  expect(acts).toEqual([]);
  void report();
  takeReport();
  await turns(20);
  expect(acts).toEqual([]);
  takeReport();
  await turns(20);
  expect(acts).toEqual(['tap']);
});

test('act schedule: a report that is never taken holds an instant act up as long as a real one takes', async () => {
  const { acts, clock, after, report } = scheduleAt('instant');
  void report();
  after('tap');
  await turns(20);
  await clock.advance(1_000);
  expect(acts).toEqual(['tap']);
});

test('act schedule: an act that is cancelled does not take place', async () => {
  for (const pace of ['real', 'instant'] as const) {
    const { acts, clock, after } = scheduleAt(pace);
    after('tap').cancel();
    await turns(20);
    await clock.advance(1_000);
    expect([pace, acts]).toEqual([pace, []]);
  }
});
