import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { sqliteStatement } from '../../../../server/platform/store/sqlite-statement.ts';

function openTable() {
  const database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE TABLE notes (id INTEGER, text TEXT); INSERT INTO notes VALUES (1, 'first'), (2, 'second')",
  );
  return { database, prepare: (sql: string) => sqliteStatement(database.prepare(sql)) };
}

describe('sqlite statement', () => {
  test('each read returns the columns by their names', () => {
    const one = openTable().prepare('SELECT * FROM notes WHERE id = ?');
    const rows = [1, 2, 3].map((id) => one.get([id]));
    expect(rows).toEqual([{ id: 1, text: 'first' }, { id: 2, text: 'second' }, undefined]);
  });

  test('a list returns the columns by their names, also after an empty list', () => {
    const some = openTable().prepare('SELECT * FROM notes WHERE id > ? ORDER BY id');
    expect(some.all([9])).toEqual([]);
    const both = [
      { id: 1, text: 'first' },
      { id: 2, text: 'second' },
    ];
    expect([some.all([0]), some.all([0])]).toEqual([both, both]);
  });

  test('a column whose name is a number keeps its value', () => {
    const mixed = openTable().prepare('SELECT text, 7, id FROM notes WHERE id = ?');
    expect([mixed.get([1]), mixed.get([2])]).toEqual([
      { text: 'first', 7: 7, id: 1 },
      { text: 'second', 7: 7, id: 2 },
    ]);
  });

  test('of two columns with one name the later counts', () => {
    const twice = openTable().prepare('SELECT id, text, text || id AS text FROM notes WHERE id = ?');
    expect([twice.get([1]), twice.get([2])]).toEqual([
      { id: 1, text: 'first1' },
      { id: 2, text: 'second2' },
    ]);
  });

  test('a column that is added later is read too', () => {
    const { database, prepare } = openTable();
    const one = prepare('SELECT * FROM notes WHERE id = ?');
    one.get([1]);
    database.exec("ALTER TABLE notes ADD COLUMN author TEXT DEFAULT 'Ann'");
    expect(one.get([2])).toEqual({ id: 2, text: 'second', author: 'Ann' });
  });
});
