import { expect, test } from 'vitest';
import { createRunningFunctions } from '../../testing/world/running-functions.ts';

/** Begins a function that replies when it is told to. */
function begin(functions: ReturnType<typeof createRunningFunctions>): (reply: string) => Promise<string> {
  let reply!: (text: string) => void;
  const replied = functions.during(() => new Promise<string>((resolve) => (reply = resolve)));
  return (text) => {
    reply(text);
    return replied;
  };
}

test('running functions: one is busy until it replies, or a wait begins after it', async () => {
  let waits = 1;
  const functions = createRunningFunctions();
  functions.countWaitsBy(() => waits);
  const first = begin(functions);
  expect(functions.busy).toBe(1);
  waits = 2;
  const second = begin(functions);
  expect(functions.busy).toBe(1);
  expect(await second('done')).toBe('done');
  expect(functions.busy).toBe(0);
  waits = 1;
  expect(functions.busy).toBe(1);
  await first('done');
  expect(functions.busy).toBe(0);
});

test('running functions: one that is left is no longer busy, and the next is', async () => {
  const functions = createRunningFunctions();
  const first = begin(functions);
  functions.leave();
  expect(functions.busy).toBe(0);
  const second = begin(functions);
  expect(functions.busy).toBe(1);
  await Promise.all([first('a'), second('b')]);
});
