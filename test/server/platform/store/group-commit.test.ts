import { expect, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { createGroupCommit } from '../../../../server/platform/store/group-commit.ts';
import type { SqliteConnection } from '../../../../server/platform/store/sqlite-connection.ts';
import { notingDatabase } from './noting-database.ts';

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function groupCommit(connection: SqliteConnection, sync: () => Promise<void> = async () => {}) {
  return createGroupCommit({ connection, log: silentLog, sync, beforeCommit: () => {} });
}

/** A disk that writes when the test says so. */
function slowDisk() {
  const waiting: (() => void)[] = [];
  return {
    sync: () => new Promise<void>((resolve) => waiting.push(resolve)),
    syncs: () => waiting.length,
    write: () => waiting.splice(0).forEach((resolve) => resolve()),
  };
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

test('group commit: what may be delayed does not wait for the disk, nor do reads; the next sync is of both', async () => {
  const { connection, statements } = notingDatabase();
  const disk = slowDisk();
  const group = groupCommit(connection, disk.sync);
  await group.transaction((tx) => tx.run('INSERT delayed'), { delayedDurability: true });
  expect(statements.at(-1)).toBe('COMMIT');
  expect(disk.syncs()).toBe(0);
  expect(group.readable()).toBeUndefined();

  const ended: string[] = [];
  const durable = group.transaction((tx) => tx.run('INSERT durable')).then(() => ended.push('durable'));
  while (disk.syncs() === 0) await turn();
  await turn();
  expect(ended).toEqual([]);
  disk.write();
  await durable;
  await group.close();
});

test('group commit: what may be delayed waits for the disk in a group with what may not', async () => {
  const { connection, commits } = notingDatabase();
  const disk = slowDisk();
  const group = groupCommit(connection, disk.sync);
  const ended: string[] = [];
  const both = [
    group
      .transaction((tx) => tx.run('INSERT delayed'), { delayedDurability: true })
      .then(() => ended.push('delayed')),
    group.transaction((tx) => tx.run('INSERT durable')).then(() => ended.push('durable')),
  ];
  while (disk.syncs() === 0) await turn();
  await turn();
  expect(ended).toEqual([]);
  expect(commits()).toBe(1);
  disk.write();
  await Promise.all(both);
  expect(ended).toEqual(['delayed', 'durable']);
  await group.close();
});
