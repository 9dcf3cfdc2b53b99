import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { openSqlite } from '../../../../server/platform/store/sqlite.ts';
import { recordQueries } from '../../../kit/query-plans.ts';

test('query plans: finds statements that read or sort a whole table, until there is an index', async () => {
  const store = await openSqlite({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE items (seq INTEGER PRIMARY KEY, id TEXT, shop TEXT, created_ms BIGINT)');
  await store.run('CREATE INDEX items_by_shop ON items (shop)');
  const watched = recordQueries(store);
  const list = 'SELECT * FROM items WHERE shop = ? ORDER BY created_ms';
  await watched.store.all(list, 'a');
  await watched.store.transaction((tx) => tx.run('DELETE FROM items\n  WHERE id = ?', 'b'));
  await watched.store.get('SELECT id FROM items WHERE shop = ? AND created_ms >= ? ORDER BY seq', 'a', 1);
  expect(watched.statementCount()).toBe(3);
  const slowStatements = [
    `before any list: USE TEMP B-TREE FOR ORDER BY: ${list}`,
    'before any list: SCAN items: DELETE FROM items WHERE id = ?',
    'before any list: reads outside of its window: SELECT id FROM items WHERE shop = ? AND created_ms >= ? ORDER BY seq',
  ];
  expect(await watched.slowStatements()).toEqual(slowStatements);
  expect(await watched.slowStatements([[/^DELETE/, 'for once']])).toEqual([
    slowStatements[0],
    slowStatements[2],
  ]);

  await store.run('CREATE INDEX items_in_order ON items (shop, created_ms)');
  await store.run('CREATE INDEX items_by_id ON items (id)');
  const left = await watched.slowStatements([[/^SELECT id/, 'it has a window']]);
  expect(left).toEqual([]);
});
