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

test('a world waits some real time for a function of the test, and then takes it for one that waits for the world', async () => {
  let nowMs = 0;
  const functions = { busy: 1, leave: () => void (functions.busy = 0) };
  const { settled } = createIdleDetector({
    quiet: () => functions.busy === 0,
    activity: () => 0,
    functions,
    realMs: () => (nowMs += 1),
  });
  await settled();
  expect(nowMs).toBeGreaterThan(100);
  expect(nowMs).toBeLessThan(200);
});
