import { expect, test } from 'vitest';
import {
  parseAmount,
  formatMajorUnits,
  formatCountdown,
  formatElapsed,
  formatDuration,
} from '../../../../server/dashboard/page/format.ts';

test('parseAmount: accepts a point or a comma, and rejects other text', () => {
  const read = ['17.42', '17,42', ' 17 ', '0.5', '17.', '.5', '1e3', '-1', '', '1.234', '12345678901'].map(
    parseAmount,
  );
  const none = undefined;
  expect(read).toEqual([1742, 1742, 1700, 50, 1700, none, none, none, none, none, none]);
  expect(formatMajorUnits(1742)).toBe('17.42');
});

test('formatCountdown, formatDuration, formatElapsed: show the two largest units', () => {
  expect([0, 400, 75_000, 3_725_000, 93_600_000, -5].map(formatCountdown)).toEqual([
    '0:00',
    '0:01',
    '1:15',
    '1:02:05',
    '1 d 2 h',
    '0:00',
  ]);
  expect([0, 45_000, 86_400_000, 612_000_000].map(formatDuration)).toEqual(['0 s', '45 s', '1 d', '7 d 2 h']);
  expect([0, 412, 62_412, 3_599_999].map(formatElapsed)).toEqual([
    '+0.000',
    '+0.412',
    '+1:02.412',
    '+59:59.999',
  ]);
  const day = 86_400_000;
  expect([3_600_000, 96 * day + 1_472, 366 * day + 3_600_000].map(formatElapsed)).toEqual([
    '+1 h',
    '+96 d',
    '+366 d 1 h',
  ]);
});
