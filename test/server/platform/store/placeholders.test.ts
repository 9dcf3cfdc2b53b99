import { expect, test } from 'vitest';
import { numberPlaceholders, statementNames } from '../../../../server/platform/store/placeholders.ts';

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

test('statement names: a statement keeps its name, and one for a schema has none, since it is not repeated', () => {
  const statement = statementNames();
  const select = 'SELECT "odd name" FROM t WHERE x = ?';
  expect(statement(select)).toEqual({ name: 'q0', text: 'SELECT "odd name" FROM t WHERE x = $1' });
  const copy = 'INSERT INTO t (x) SELECT x FROM "sandbox_ci".t';
  expect(statement(copy)).toEqual({ text: copy });
  expect([statement(select).name, statement('SELECT 1').name]).toEqual(['q0', 'q1']);
});
