import { expect, test } from 'vitest';
import { entriesOf, isKeyOf, isOneOf, keysOf, tableOf } from '../../protocol/tables.ts';

const PRICES = { tea: 250, cake: 400 };

test('tables: keys and entries come in the order of the table', () => {
  expect(keysOf(PRICES)).toEqual(['tea', 'cake']);
  expect(entriesOf(PRICES)).toEqual([
    ['tea', 250],
    ['cake', 400],
  ]);
});

test('tables: a table has a row for each key', () => {
  expect(tableOf(['cake', 'tea'], (name) => name.length)).toEqual({ cake: 4, tea: 3 });
});

test('tables: a key is one that the table itself has', () => {
  expect(isKeyOf(PRICES, 'tea')).toBe(true);
  expect(isKeyOf(PRICES, 'coffee')).toBe(false);
  expect(isKeyOf(PRICES, 'toString')).toBe(false);
});

test('tables: a value is one of a list when it is the same', () => {
  expect(isOneOf([1, 2], 2)).toBe(true);
  expect(isOneOf([1, 2], '2')).toBe(false);
});
