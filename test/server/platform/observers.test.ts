import { expect, test } from 'vitest';
import { createLog } from '../../../protocol/log.ts';
import { createObservers } from '../../../server/platform/observers.ts';

function observed() {
  const lines: Record<string, unknown>[] = [];
  const clock = { ms: 0, nowMs: () => clock.ms };
  const log = createLog({
    level: 'warn',
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  });
  return { clock, lines, log, observers: createObservers({ log, clock }) };
}

test('observers: what one throws does not reach its caller, and what it returns does', () => {
  const { observers } = observed();
  const half = observers.guard('halves', (value: number) => {
    if (value % 2 !== 0) throw new Error('odd');
    return value / 2;
  });
  expect([half(4), half(3), half(2)]).toEqual([2, undefined, 1]);
});

test('observers: a promise that rejects resolves with undefined', async () => {
  const { lines, observers } = observed();
  const fail = observers.guard('late', () => Promise.reject(new Error('too late')));
  await expect(fail()).resolves.toBeUndefined();
  expect(lines).toMatchObject([{ observer: 'late', err: { message: 'too late' } }]);
});

test('observers: a failure is logged at once, and the same one a minute later with the count of those between', () => {
  const { clock, lines, observers } = observed();
  const fail = observers.guard('recording', () => {
    throw new RangeError('Maximum call stack size exceeded');
  });
  const other = observers.guard('dashboard', () => {
    throw new Error('x');
  });
  for (let count = 0; count < 100; count += 1) fail();
  other();
  clock.ms = 60_000;
  fail();
  expect(lines.map(({ observer, repeated }) => [observer, repeated])).toEqual([
    ['recording', undefined],
    ['dashboard', undefined],
    ['recording', 99],
  ]);
});

test('observers: each failure is passed on to what must know that something is missing', () => {
  const { observers } = observed();
  let missing = 0;
  const fail = observers.guard(
    'recording',
    () => {
      throw new Error('x');
    },
    () => (missing += 1),
  );
  fail();
  fail();
  expect(missing).toBe(2);
});

test('observers: a log that fails ends nothing, whatever was thrown', () => {
  const log = createLog({
    level: 'warn',
    destination: {
      write() {
        throw new Error('no space left on device');
      },
    },
  });
  const { guard } = createObservers({ log, clock: { nowMs: () => 0 } });
  for (const thrown of [new Error('x'), undefined, null, 'text', Object.create(null)]) {
    const fail = guard(`throws ${typeof thrown}`, () => {
      throw thrown;
    });
    expect(fail()).toBeUndefined();
  }
});
