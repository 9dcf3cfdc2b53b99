import { expect, test } from 'vitest';
import { withTimeout } from '../../protocol/with-timeout.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';

const never = new Promise<never>(() => {});

test('withTimeout: throws Fault timed_out with the message once the time is over', async () => {
  const clock = new VirtualClock(0);
  const waited = withTimeout(clock, 100, never, 'no answer').catch((error: unknown) => error);
  await clock.advance(100);
  expect(await waited).toMatchObject({ code: 'timed_out', message: 'no answer' });
});

test('withTimeout: throws the error that the caller creates', async () => {
  const clock = new VirtualClock(0);
  const waited = withTimeout(clock, 100, never, () => new RangeError('mine')).catch(
    (error: unknown) => error,
  );
  await clock.advance(100);
  expect(await waited).toBeInstanceOf(RangeError);
});

test('withTimeout: returns the result of a promise that settles in time, and cancels its timer', async () => {
  const clock = new VirtualClock(0);
  expect(await withTimeout(clock, 100, Promise.resolve('ok'), 'no answer')).toBe('ok');
  expect(clock.due).toEqual([]);
});
