import { expect, test } from 'vitest';
import { createSession } from '../../../../server/platform/store/postgres-session.ts';
import type { Queries } from '../../../../server/platform/store/store.ts';

/** A session on a connection that answers the commit with `command`, and what was sent. */
function openSession({ command = 'COMMIT', guarded = true } = {}) {
  const sent: string[] = [];
  const taking = (where: string): Queries => ({
    get: async (sql) => void sent.push(`${where}: ${sql}`),
    all: async (sql) => (sent.push(`${where}: ${sql}`), []),
    run: async (sql) => (sent.push(`${where}: ${sql}`), { changes: 1 }),
  });
  const client = {
    query: async (sql: string) => (sent.push(sql), { command: sql === 'COMMIT' ? command : sql }),
    release: (destroy: boolean) => void sent.push(destroy ? 'destroyed' : 'released'),
  };
  const session = createSession({
    checkOut: async () => client,
    queriesOf: () => taking('transaction'),
    begin: () => 'BEGIN',
    ...(guarded && { reads: taking('shared') }),
  });
  return { session, sent };
}

test('PostgreSQL session: a transaction with guards begins with its first write or lock', async () => {
  const { session, sent } = openSession();
  await session.queries.get('SELECT 1');
  await session.queries.get('SELECT 1 FROM terminals FOR NO KEY UPDATE');
  await session.queries.get('SELECT 2');
  expect(await session.commit()).toBe(true);
  session.release();
  await Promise.resolve();
  expect(sent).toEqual([
    'shared: SELECT 1',
    'BEGIN',
    'transaction: SELECT 1 FROM terminals FOR NO KEY UPDATE',
    'transaction: SELECT 2',
    'COMMIT',
    'released',
  ]);
});

test('PostgreSQL session: a transaction without guards begins with its first statement', async () => {
  const { session, sent } = openSession({ guarded: false });
  await session.queries.get('SELECT 1');
  expect(sent).toEqual(['BEGIN', 'transaction: SELECT 1']);
});

test('PostgreSQL session: the lock of a table is sent with what begins the transaction', async () => {
  const { session, sent } = openSession();
  await session.lockTable('items');
  await session.lockTable('items');
  await session.queries.get('SELECT 1');
  expect(sent).toEqual([
    'transaction: BEGIN; LOCK TABLE items IN ROW EXCLUSIVE MODE',
    'transaction: SELECT 1',
  ]);
});

test('PostgreSQL session: a lock that comes first is sent with what begins the transaction, and no table is locked then', async () => {
  const { session, sent } = openSession();
  await session.sendLock('LOCK TABLE accounts IN ROW SHARE MODE');
  await session.lockTable('items');
  await session.queries.run('INSERT INTO items (id) VALUES (1)');
  await session.sendLock('LOCK TABLE parts IN ROW SHARE MODE');
  expect(sent).toEqual([
    'transaction: BEGIN; LOCK TABLE accounts IN ROW SHARE MODE',
    'transaction: INSERT INTO items (id) VALUES (1)',
    'transaction: LOCK TABLE parts IN ROW SHARE MODE',
  ]);
});

test('PostgreSQL session: a table is not locked once a statement has been sent that locks one by itself', async () => {
  const { session, sent } = openSession();
  await session.queries.get('SELECT pg_advisory_xact_lock(1)');
  await session.lockTable('items');
  await session.queries.run('INSERT INTO parts (id) VALUES (1)');
  await session.lockTable('items');
  const { session: writing, sent: written } = openSession();
  await writing.queries.run('INSERT INTO parts (id) VALUES (1)');
  await writing.lockTable('items');
  expect(sent).toEqual([
    'BEGIN',
    'transaction: SELECT pg_advisory_xact_lock(1)',
    'transaction: LOCK TABLE items IN ROW EXCLUSIVE MODE',
    'transaction: INSERT INTO parts (id) VALUES (1)',
  ]);
  expect(written).toEqual(['BEGIN', 'transaction: INSERT INTO parts (id) VALUES (1)']);
});

test('PostgreSQL session: a commit that PostgreSQL answers by a rollback is none', async () => {
  const { session } = openSession({ command: 'ROLLBACK' });
  await session.queries.run('INSERT INTO items (id) VALUES (1)');
  expect(await session.commit()).toBe(false);
});

test('PostgreSQL session: a transaction that only read takes no connection', async () => {
  const { session, sent } = openSession();
  await session.queries.all('SELECT 1');
  expect(await session.commit()).toBe(true);
  await session.rollback();
  session.release();
  expect(sent).toEqual(['shared: SELECT 1']);
});
