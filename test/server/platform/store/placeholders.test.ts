import { expect, test } from 'vitest';
import { numberPlaceholders } from '../../../../server/platform/store/placeholders.ts';

test('placeholders: parameters are numbered in their order', () => {
  expect(numberPlaceholders('a = ? AND (b, c) < (?, ?)')).toBe('a = $1 AND (b, c) < ($2, $3)');
});

test.each([
  `SELECT 'a?''b?' FROM t WHERE x = `,
  `SELECT "odd?name" FROM t WHERE x = `,
  `SELECT 1 -- why?\n WHERE x = `,
  `SELECT 1 /* why? -- ' */ WHERE x = `,
])('placeholders: quotes and comments are left alone: %s', (text) => {
  expect(numberPlaceholders(`${text}?`)).toBe(`${text}$1`);
});
