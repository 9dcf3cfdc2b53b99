import { expect, test } from 'vitest';
import { hasCardNumber, maskReport } from '../../../../server/platform/broker/report-reader.ts';

test('maskReport: hides card numbers in texts and names, and keeps the fields that match answers', () => {
  // Digits of a UUID that happen to be a card number, parted by its hyphens.
  const requestId = 'a0b0c0d0-4929-9391-8735-559800000000';
  expect(
    maskReport({ requestId, problem: 'card 4929 9391 8735 5598', fields: { '4929939187355598': ['x'] } }),
  ).toEqual({ requestId, problem: 'card **** **** **** 5598', fields: { '************5598': ['x'] } });
});

test('hasCardNumber: looks at each text, name and number of a report by itself, and not at ids and bytes', () => {
  const number = '4761739001010119';
  for (const body of [
    { fields: { number } },
    { lines: ['CARD', number] },
    { [number]: 1 },
    { n: Number(number) },
  ])
    expect([body, hasCardNumber(body)]).toEqual([body, true]);
  for (const body of [{ requestId: number }, { bytes: number }, { lines: ['47617390', '01010119'] }])
    expect([body, hasCardNumber(body)]).toEqual([body, false]);
});
