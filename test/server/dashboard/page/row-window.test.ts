import { expect, test } from 'vitest';
import { moveTo, pagesAround } from '../../../../server/dashboard/page/timeline/row-window.ts';

test('row pages: a row on another page is drawn with the neighbours of that page', () => {
  expect(moveTo(pagesAround(3), 5, false)).toEqual({ first: 4, last: 6, shown: 5 });
  expect(moveTo(pagesAround(3), 2, true)).toEqual({ first: 1, last: 3, shown: 2 });
  expect(moveTo(pagesAround(0), 5, true)).toEqual({ first: 4, last: 6, shown: 5 });
});

test('row pages: the earlier rows that are being read stay when rows are added', () => {
  let pages = pagesAround(1);
  for (const shown of [2, 3, 4]) pages = moveTo(pages, shown, true);
  expect(pages).toEqual({ first: 0, last: 5, shown: 4 });
});

test('row pages: further pages that were asked for stay while the row shown is on the same page', () => {
  const more = { ...pagesAround(3), first: 0 };
  expect(moveTo(more, 3, false)).toBe(more);
});
