import { expect, test } from 'vitest';
import {
  availableFrom,
  isBusinessDay,
  nextBusinessDay,
} from '../../../../server/api/ledger/business-days.ts';

// The fifth of January 2026 is a Monday.
const day = (date: number, hour = 0, minute = 0) => Date.UTC(2026, 0, date, hour, minute);

test('business days: money is available two business days later, from midnight', () => {
  const week = [5, 6, 7, 8, 9, 10, 11].map((date) => availableFrom(day(date, 15)));
  // Monday to Wednesday two days on; Thursday, Friday and Saturday on Monday; Sunday on Tuesday.
  expect(week).toEqual([7, 8, 9, 12, 12, 12, 13].map((date) => day(date)));
});

test('business days: the hour of the payment does not matter', () => {
  expect(availableFrom(day(5))).toBe(day(7));
  expect(availableFrom(day(5, 23, 59))).toBe(day(7));
});

test('business days: Monday follows Friday', () => {
  expect([5, 9, 10, 11].map((date) => isBusinessDay(day(date, 12)))).toEqual([true, true, false, false]);
  expect(nextBusinessDay(day(8, 12))).toBe(day(9));
  expect([9, 10, 11].map((date) => nextBusinessDay(day(date, 12)))).toEqual([day(12), day(12), day(12)]);
});
