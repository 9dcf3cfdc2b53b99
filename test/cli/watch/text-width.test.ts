import { expect, test } from 'vitest';
import { columnsOf, fitToWidth, sanitizeText } from '../../../cli/watch/text-width.ts';

test('letters take one column, ideographs and emoji two, marks none', () => {
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
])('%j in %d columns is %j', (text, columns, shown) => {
  expect(fitToWidth(text, columns)).toBe(shown);
  expect(columnsOf(fitToWidth(text, columns))).toBe(columns);
});

test('what a terminal would obey is shown as a dot', () => {
  expect(sanitizeText('a\u001b[31mb\r\nc\u009bd\u202e')).toBe('a·[31mb··c·d·');
});
