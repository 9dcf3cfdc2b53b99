import { expect, test } from 'vitest';
import { createSharedSnapshot } from '../../../../server/platform/store/shared-snapshot.ts';
import { notingDatabase } from './noting-database.ts';

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('shared snapshot: reads of one turn share a transaction, and those of the next turn have another', async () => {
  const { connection, statements } = notingDatabase();
  const snapshot = createSharedSnapshot(connection);
  expect(snapshot.connection()).toBe(connection);
  snapshot.connection();
  expect(statements).toEqual(['BEGIN']);
  await turn();
  expect(statements).toEqual(['BEGIN', 'COMMIT']);
  snapshot.connection();
  await turn();
  expect(statements).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'COMMIT']);
});

test('shared snapshot: a read after it was renewed has a transaction of its own', async () => {
  const { connection, statements } = notingDatabase();
  const snapshot = createSharedSnapshot(connection);
  snapshot.connection();
  snapshot.renew();
  snapshot.connection();
  expect(statements).toEqual(['BEGIN', 'COMMIT', 'BEGIN']);
  await turn();
  await turn();
  expect(statements).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'COMMIT']);
});

test('shared snapshot: a transaction that SQLite has rolled back itself is not committed', async () => {
  const { connection, statements } = notingDatabase();
  const snapshot = createSharedSnapshot(connection);
  snapshot.connection().run('ROLLBACK');
  await turn();
  expect(statements).toEqual(['BEGIN', 'ROLLBACK']);
});
