import { expect, test } from 'vitest';
import { createIdleDetector } from '../../world/idle-detector.ts';
import { turn } from '../../world/virtual-clock.ts';

/** Returns how many turns of the event loop pass until a world without activity is idle. */
async function turnsUntilIdle(processBusy: () => boolean): Promise<number> {
  let turns = 0;
  const quiet = () => {
    turns += 1;
    return true;
  };
  await createIdleDetector({ quiet, activity: () => 0, processBusy }).settled();
  return turns;
}

test('a quiet world is idle sooner while nothing is pending in the process', async () => {
  const ofIdleProcess = await turnsUntilIdle(() => false);
  const ofBusyProcess = await turnsUntilIdle(() => true);

  expect(ofIdleProcess).toBe(3);
  expect(ofBusyProcess).toBe(15);
});

test('a world waits for what takes several turns without activity', async () => {
  let activity = 0;
  const slowHop = async () => {
    for (let turns = 0; turns < 8; turns += 1) await turn();
    activity += 1;
  };
  const { settled } = createIdleDetector({ quiet: () => true, activity: () => activity });

  void slowHop();
  await settled();

  expect(activity).toBe(1);
});

/** Returns the real time that passes until a world is idle in which a function of the test runs; a turn takes a millisecond. */
async function msUntilIdle(parts: { processBusy: boolean; newTimers: number }): Promise<number> {
  let nowMs = 0;
  let timers = 1;
  const detector = createIdleDetector({
    quiet: () => true,
    activity: () => 0,
    functions: () => 1,
    processBusy: () => parts.processBusy,
    timers: () => timers,
    realMs: () => (nowMs += 1),
  });
  timers += parts.newTimers;
  await detector.settled();
  return nowMs;
}

test('a world waits some time for a function of the test that uses the process, and not for one that waits for its clock', async () => {
  expect(await msUntilIdle({ processBusy: true, newTimers: 0 })).toBeGreaterThan(300);
  expect(await msUntilIdle({ processBusy: false, newTimers: 1 })).toBeGreaterThan(300);
  expect(await msUntilIdle({ processBusy: false, newTimers: 0 })).toBeLessThan(10);
});
