import { expect, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { createGroupCommit } from '../../../../server/platform/store/group-commit.ts';
import type { SqliteConnection } from '../../../../server/platform/store/sqlite-connection.ts';
import { notingDatabase } from './noting-database.ts';

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function groupCommit(connection: SqliteConnection) {
  return createGroupCommit({ connection, log: silentLog, sync: async () => {}, beforeCommit: () => {} });
}

test('group commit: a single transaction is committed at once; those that arrive meanwhile are grouped', async () => {
  const { connection, commits } = notingDatabase();
  const group = groupCommit(connection);
  const write = () => group.transaction((tx) => tx.run('INSERT'));
  const alone = write();
  await turn();
  expect(commits()).toBe(1);
  await alone;

  const asked = [write(), write()];
  for (let more = 0; more < 5; more++) {
    await turn();
    asked.push(write());
  }
  await Promise.all(asked);
  expect(commits()).toBe(2);
  await group.close();
});

test('group commit: a full group does not wait', async () => {
  const { connection, commits } = notingDatabase();
  const group = groupCommit(connection);
  const asked = Array.from({ length: 300 }, () => group.transaction((tx) => tx.run('INSERT')));
  await turn();
  await turn();
  expect(commits()).toBeGreaterThan(0);
  await Promise.all(asked);
  expect(commits()).toBe(2);
  await group.close();
});

test('group commit: a transaction that is alone in its commit needs no savepoint, and is undone all the same', async () => {
  const { connection, statements } = notingDatabase();
  const group = groupCommit(connection);
  await group.transaction((tx) => tx.run('INSERT'));
  expect(statements).toEqual(['BEGIN IMMEDIATE', 'INSERT', 'COMMIT']);
  statements.length = 0;
  const undone = group.transaction(async (tx) => {
    await tx.run('INSERT');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(statements).toEqual(['BEGIN IMMEDIATE', 'INSERT', 'ROLLBACK', 'BEGIN IMMEDIATE', 'COMMIT']);
  await group.close();
});

test('group commit: a group needs no savepoints until one of it throws after a write, then it runs again with them', async () => {
  const { connection, statements } = notingDatabase();
  const group = groupCommit(connection);
  const effects: string[] = [];
  let runs = 0;
  const write = (name: string) =>
    group.transaction(async (tx) => {
      await tx.run(`INSERT ${name}`);
      tx.afterCommit(() => effects.push(name));
    });
  await Promise.all([write('a'), write('b')]);
  expect(statements).toEqual(['BEGIN IMMEDIATE', 'INSERT a', 'INSERT b', 'COMMIT']);
  expect(effects).toEqual(['a', 'b']);

  statements.length = 0;
  const undone = group.transaction(async (tx) => {
    runs += 1;
    await tx.run('INSERT c');
    tx.afterCommit(() => effects.push('c'));
    throw new Error('undone');
  });
  const refused = group.transaction(async (tx) => {
    await tx.get('SELECT');
    throw new Error('refused');
  });
  const results = await Promise.allSettled([undone, refused, write('d')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(runs).toBe(2);
  expect(effects).toEqual(['a', 'b', 'd']);
  const bodies = ['SAVEPOINT body', 'INSERT c', 'ROLLBACK TO body', 'RELEASE body'].concat([
    'SAVEPOINT body',
    'INSERT d',
    'RELEASE body',
  ]);
  expect(statements).toEqual([
    'BEGIN IMMEDIATE',
    'INSERT c',
    'ROLLBACK',
    'BEGIN IMMEDIATE',
    ...bodies,
    'COMMIT',
  ]);
  await group.close();
});
