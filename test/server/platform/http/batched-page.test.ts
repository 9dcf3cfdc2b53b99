import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { readPage } from '../../../../server/platform/http/paging.ts';
import type { PageQuery } from '../../../../server/platform/http/paging.schema.ts';
import type { PageSource } from '../../../../server/platform/store/page-source.ts';
import { openSqlite } from '../../../../server/platform/store/sqlite.ts';
import type { Queries, SqlValue } from '../../../../server/platform/store/store.ts';

const BATCH = 4;

/** Fifty items with a hole in their numbers; every seventh is wanted. */
async function openItems() {
  const store = await openSqlite({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE items (seq INTEGER PRIMARY KEY, id TEXT, wanted INTEGER)');
  for (let seq = 11; seq <= 70; seq++) {
    if (seq > 30 && seq <= 40) continue;
    await store.run('INSERT INTO items VALUES (?, ?, ?)', seq, `item_${seq}`, seq % 7 === 0 ? 1 : 0);
  }
  const reads: SqlValue[][] = [];
  const all: Queries['all'] = (sql, ...parameters) => {
    reads.push(parameters);
    return store.all(sql, ...parameters);
  };
  return { store, reads, queries: { ...store, all } };
}

const source: PageSource = {
  table: 'items',
  batches: { of: 'items', rows: BATCH },
  owned: { where: '1 = 1', parameters: [] },
  shown: { where: 'wanted = 1', parameters: [] },
};

async function pagesOf(queries: Queries, query: PageQuery, list = source): Promise<string[][]> {
  const pages: string[][] = [];
  for (let startsAfter: string | undefined; ;) {
    const page = await readPage<{ id: string }>(queries, list, {
      ...query,
      ...(startsAfter && { startsAfter }),
    });
    pages.push(page.rows.map(({ id }) => id));
    if (page.paginationToken === null) return pages;
    startsAfter = page.paginationToken;
  }
}

test.each([true, false])(
  'page in batches: has the items of one statement, in each order (ascending: %s)',
  async (ascending) => {
    const { queries } = await openItems();
    const { batches: _, ...atOnce } = source;
    for (const limit of [1, 2, 3, 50]) {
      const pages = await pagesOf(queries, { ascending, limit });
      expect(pages.flat()).toHaveLength(8);
      expect(pages).toEqual(await pagesOf(queries, { ascending, limit }, atOnce));
    }
  },
);

test('page in batches: no statement covers more numbers than a batch, and a full page ends the reading', async () => {
  const { queries, reads } = await openItems();
  await readPage(queries, source, { limit: 1 });
  expect(reads).toEqual([
    [67, 70, 2],
    [63, 66, 1],
  ]);
  reads.length = 0;
  await readPage(queries, source, { limit: 50, ascending: true });
  expect(reads).toHaveLength(15);
  for (const [from, to] of reads) expect(Number(to) - Number(from)).toBeLessThan(BATCH);
});

test('page in batches: is empty where nothing fits, and where the table has no rows', async () => {
  const { store, queries } = await openItems();
  const none = { ...source, shown: { where: 'wanted = 2', parameters: [] } };
  expect(await readPage(queries, none, {})).toEqual({ rows: [], paginationToken: null });
  await store.run('DELETE FROM items');
  expect(await readPage(queries, source, {})).toEqual({ rows: [], paginationToken: null });
});
