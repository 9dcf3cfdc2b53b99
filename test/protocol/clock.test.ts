import { expect, test } from 'vitest';
import { OffsetClock } from '../../protocol/clock.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';

function clocks() {
  const base = new VirtualClock(1_000);
  return { base, clock: new OffsetClock(base, 500) };
}

test('OffsetClock: stands still at an instant, and makes the calls that are due by then, in order', () => {
  const { base, clock } = clocks();
  const made: number[] = [];
  for (const atMs of [1_900, 1_600, 2_500]) clock.at(atMs, () => made.push(atMs));
  clock.standAt(2_000);
  expect([clock.nowMs(), clock.offsetMs, made]).toEqual([2_000, 1_000, [1_600, 1_900]]);
  clock.standAt(100);
  expect(clock.nowMs()).toBe(2_000);
  expect(base.due).toEqual([]);
});

test('OffsetClock: makes no call while it stands still, but for one that is due already', async () => {
  const { base, clock } = clocks();
  const made: string[] = [];
  clock.standAt(2_000);
  clock.at(2_001, () => made.push('later'));
  clock.at(2_000, () => made.push('due'));
  await base.advance(5_000);
  expect([clock.nowMs(), made]).toEqual([2_000, ['due']]);
});

test('OffsetClock: goes on from where it stood, never back', async () => {
  const { base, clock } = clocks();
  const made: number[] = [];
  clock.at(2_100, () => made.push(clock.nowMs()));
  clock.standAt(2_000);
  await base.advance(50);
  clock.goOn(0);
  expect([clock.nowMs(), clock.offsetMs]).toEqual([2_000, 950]);
  await base.advance(100);
  expect(made).toEqual([2_100]);
});

test('OffsetClock: an offset that is set while it stands still takes effect when it goes on', () => {
  const { clock } = clocks();
  clock.standAt(2_000);
  clock.setOffset(9_000);
  expect(clock.nowMs()).toBe(2_000);
  clock.goOn(0);
  expect(clock.nowMs()).toBe(10_000);
});

test('offset clock: what a scheduled call throws is passed on, and the calls after it run', async () => {
  const base = new VirtualClock(0);
  const failures: unknown[] = [];
  const clock = new OffsetClock(base, 1_000, (thrown) => failures.push(thrown));
  const bad = new Error('cannot encode the time');
  const ran: number[] = [];
  clock.at(1_010, () => {
    throw bad;
  });
  clock.at(1_020, () => ran.push(clock.nowMs()));
  await base.advance(30);
  expect([failures, ran]).toEqual([[bad], [1_020]]);
});

test('offset clock: without a function for it, what a scheduled call throws goes to the base', async () => {
  const base = new VirtualClock(0);
  const clock = new OffsetClock(base, 0);
  clock.at(10, () => {
    throw new Error('bad');
  });
  await expect(base.advance(30)).rejects.toThrow('bad');
});
