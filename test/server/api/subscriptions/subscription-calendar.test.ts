import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Interval } from '../../../../server/api/subscriptions/subscription-billing.schema.ts';
import { cycleAround, cycleEnd } from '../../../../server/api/subscriptions/subscription-calendar.ts';
import { MONTH_ENDS } from './month-ends.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const MONTHLY: Interval = { unit: 'Months', count: 1 };

/** The days on which so many cycles in a row begin. */
function days(first: string, interval: Interval, count: number): string[] {
  const starts = [at(first)];
  while (starts.length < count) starts.push(cycleEnd(starts.at(-1)!, interval, starts[0]!));
  return starts.map(day);
}

test('billing cycle: months keep the day of the first, or the last day of a shorter month', () => {
  expect(days('2026-01-31T09:30:00', MONTHLY, 13)).toEqual([...MONTH_ENDS, '2027-01-31']);
});

test('billing cycle: 29 February returns in a leap year', () => {
  const yearly = { unit: 'Months', count: 12 } as const;
  expect(days('2028-02-29T00:00:00', yearly, 5)).toEqual([
    '2028-02-29',
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ]);
});

test('billing cycle: quarters from the end of November', () => {
  const quarterly = { unit: 'Months', count: 3 } as const;
  expect(days('2026-11-30T00:00:00', quarterly, 3)).toEqual(['2026-11-30', '2027-02-28', '2027-05-30']);
});

test('billing cycle: days have 24 hours', () => {
  expect(cycleEnd(at('2026-03-28T12:00:00'), { unit: 'Days', count: 7 }, 0)).toBe(at('2026-04-04T12:00:00'));
});

test('billing cycle: keeps the time of day', () => {
  const startMs = at('2026-01-31T23:59:59');
  expect(cycleEnd(startMs, MONTHLY, startMs)).toBe(at('2026-02-28T23:59:59'));
});

test('billing cycle: adding months one by one equals adding them at once', () => {
  const instants = fc.integer({
    min: at('2000-01-01T00:00:00') / 1000,
    max: at('2090-01-01T00:00:00') / 1000,
  });
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 60 }), (startSeconds, count) => {
      const startMs = startSeconds * 1000;
      let endMs = startMs;
      for (let month = 0; month < count; month++) {
        const next = cycleEnd(endMs, MONTHLY, startMs);
        expect(next).toBeGreaterThan(endMs);
        endMs = next;
      }
      expect(endMs).toBe(cycleEnd(startMs, { unit: 'Months', count }, startMs));
    }),
  );
});

test('billing cycle: skips past cycles and finds the current one', () => {
  const startMs = at('2026-01-31T00:00:00');
  const cycle = { startMs, endMs: at('2026-02-28T00:00:00') };
  const around = (now: string) => cycleAround(at(now), cycle, MONTHLY, startMs);
  expect(around('2026-02-03T00:00:00')).toEqual(cycle);
  expect(around('2026-02-28T00:00:00')).toEqual({
    startMs: at('2026-02-28T00:00:00'),
    endMs: at('2026-03-31T00:00:00'),
  });
  expect(day(around('2026-06-15T00:00:00').endMs)).toBe('2026-06-30');
});
