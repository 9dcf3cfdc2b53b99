import { expect, test } from 'vitest';
import { maskReport } from '../../../../server/platform/broker/report-reader.ts';

test('maskReport: hides card numbers in texts and names, and keeps the fields that match answers', () => {
  // Digits of a UUID that happen to be a card number, parted by its hyphens.
  const requestId = 'a0b0c0d0-4929-9391-8735-559800000000';
  expect(
    maskReport({ requestId, problem: 'card 4929 9391 8735 5598', fields: { '4929939187355598': ['x'] } }),
  ).toEqual({ requestId, problem: 'card **** **** **** 5598', fields: { '************5598': ['x'] } });
});
