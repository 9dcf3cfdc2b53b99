import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { CHARACTERS_PER_TURN } from '../../../../server/platform/loop-turns.ts';
import { openSqlite } from '../../../../server/platform/store/sqlite.ts';
import type { Queries, Row, Store } from '../../../../server/platform/store/store.ts';
import { readRows, type RowValues } from '../../../../server/platform/store/table-rows.ts';

const TABLE = { name: 'texts', columns: ['number', 'text'] };

/** Rows of 10 characters, of half a megabyte, and of a thousand, in turns. */
const LENGTHS = Array.from({ length: 600 }, (_, index) =>
  index % 300 === 7 ? 500_000 : index % 2 === 0 ? 10 : 1_000,
);
const ROWS = LENGTHS.map((length, index): Row => ({ number: index, text: 'x'.repeat(length) }));

async function sqliteQueries(): Promise<Queries> {
  const store = await openSqlite({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE texts (number BIGINT, text TEXT)');
  for (const { number, text } of ROWS) await store.run('INSERT INTO texts VALUES (?, ?)', number!, text!);
  return store;
}

/** Answers as a cursor of PostgreSQL. */
function cursorQueries(): Queries {
  let at = 0;
  return {
    get: async () => undefined,
    all: async <R extends Row>(sql: string) => {
      const from = at;
      at += Number(/^FETCH (\d+)/.exec(sql)![1]);
      return ROWS.slice(from, at) as R[];
    },
    run: async () => ({ changes: 0 }),
  };
}

const queriesOf: Record<Store['engine'], () => Promise<Queries>> = {
  sqlite: sqliteQueries,
  postgres: async () => cursorQueries(),
};

test.each(['sqlite', 'postgres'] as const)(
  'rows of a table on %s: no more than the characters of a turn are read between two turns of the event loop, or one row',
  async (engine) => {
    const turns: RowValues[][] = [[]];
    const turn = async () => void turns.push([]);
    for await (const rows of readRows(await queriesOf[engine](), engine, TABLE, turn))
      turns.at(-1)!.push(...rows);

    expect(turns.flat()).toEqual(ROWS.map(({ number, text }) => [number, text]));
    for (const rows of turns) {
      const characters = rows.reduce((sum, [, text]) => sum + String(text).length, 0);
      expect(rows.length === 1 || characters <= CHARACTERS_PER_TURN).toBe(true);
    }
    // Small rows share a turn.
    expect(turns.length).toBeLessThan(20);
  },
);
