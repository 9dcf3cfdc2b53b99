import { expect, test } from 'vitest';
import { FollowingClock } from '../../../../server/platform/store/database-clock.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

test('a following clock: is as far ahead of its counter as the other clock was read to be', async () => {
  const counter = new VirtualClock(1_000);
  const clock = new FollowingClock(counter, 500_000);
  expect(clock.nowMs()).toBe(501_000);
  await counter.advance(70);
  expect(clock.nowMs()).toBe(501_070);
  clock.follow(600_000);
  expect(clock.nowMs()).toBe(601_070);
});

test('a following clock: goes at half the speed when it was ahead, until the other one has caught up', async () => {
  const counter = new VirtualClock(0);
  const clock = new FollowingClock(counter, 1_000);
  expect(clock.nowMs()).toBe(1_000);
  clock.follow(900);
  expect(clock.nowMs()).toBe(1_000);
  await counter.advance(100);
  expect(clock.nowMs()).toBe(1_050);
  await counter.advance(100);
  expect(clock.nowMs()).toBe(1_100);
  await counter.advance(100);
  expect(clock.nowMs()).toBe(1_200);
});

test('a following clock: calls when its own time has come, also when a reading moves it on', async () => {
  const counter = new VirtualClock(0);
  const clock = new FollowingClock(counter, 0);
  const calls: string[] = [];
  clock.at(100, () => calls.push('at 100'));
  clock.at(10_000, () => calls.push('at 10000'));
  clock.at(10_001, () => calls.push('cancelled')).cancel();
  clock.follow(-50);
  await counter.advance(100);
  expect([clock.nowMs(), calls]).toEqual([50, []]);
  await counter.advance(50);
  expect([clock.nowMs(), calls]).toEqual([100, ['at 100']]);
  clock.follow(20_000);
  await counter.advance(0);
  expect(calls).toEqual(['at 100', 'at 10000']);
});
