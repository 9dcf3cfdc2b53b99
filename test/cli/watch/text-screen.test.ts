import { expect, test } from 'vitest';
import { columnsOf, fitToWidth } from '../../../cli/watch/text-screen.ts';

test('columnsOf: a letter takes one column, an ideograph or emoji two, a combining mark none', () => {
  expect(columnsOf('Till 1')).toBe(6);
  expect(columnsOf('漢字')).toBe(4);
  expect(columnsOf('💳')).toBe(2);
  expect(columnsOf('cafe\u0301')).toBe(4);
});

test.each([
  ['Till', 6, 'Till  '],
  ['Till number one', 6, 'Till …'],
  ['漢字漢字', 6, '漢字… '],
  ['漢字漢字', 5, '漢字…'],
  ['漢', 1, '…'],
  ['', 2, '  '],
  ['Till', 0, ''],
  ['👩‍👩‍👧 home', 5, '👩‍👩‍👧 h…'],
])('fitToWidth: fits %j into %d columns as %j', (text, columns, shown) => {
  expect(fitToWidth(text, columns)).toBe(shown);
  expect(columnsOf(fitToWidth(text, columns))).toBe(columns);
});
