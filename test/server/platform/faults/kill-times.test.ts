import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { canStrike, KILLS_MAX, strikesNow } from '../../../../server/platform/faults/fault-rule.ts';
import { createKillTimes } from '../../../../server/platform/faults/kill-times.ts';
import { createTimers } from '../../../../server/platform/faults/timers.ts';

const earlier = { isOfEarlierStart: true };
const newer = { isOfEarlierStart: false };

test('createKillTimes: no plan kills a server that is not ready, and an earlier one not until a pause has passed', async () => {
  const clock = new VirtualClock(0);
  const times = createKillTimes(createTimers(clock));
  await clock.advance(60_000);
  expect([times.allows(earlier), times.allows(newer)]).toEqual([false, false]);
  times.admit('a pause');
  expect([times.allows(earlier), times.allows(newer)]).toEqual([false, true]);
  await clock.advance(4_999);
  expect(times.allows(earlier)).toBe(false);
  await clock.advance(1);
  expect(times.allows(earlier)).toBe(true);
});

test('createKillTimes: where a start costs nothing, as in test worlds, there is no pause', () => {
  const times = createKillTimes(createTimers(new VirtualClock(0)));
  times.admit('at once');
  expect(times.allows(earlier)).toBe(true);
});

test('strikesNow: a plan that was stored with more kills than there may be ends at the most', () => {
  const of = (what: string) => ({ at: 'server.commit', what, when: { times: 10_000 } }) as const;
  for (const kill of [of('kill-before'), of('kill-after')]) {
    expect(strikesNow(kill, { seen: 500, struck: KILLS_MAX - 1 }, 's', 0)).toBe(true);
    expect(strikesNow(kill, { seen: 500, struck: KILLS_MAX }, 's', 0)).toBe(false);
    expect(canStrike(kill, { seen: 500, struck: KILLS_MAX }, 0)).toBe(false);
  }
  expect(strikesNow(of('delay'), { seen: 500, struck: KILLS_MAX }, 's', 0)).toBe(true);
});
