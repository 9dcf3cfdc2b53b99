import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openSqlite } from '../../../server/store/sqlite.ts';
import type { Store } from '../../../server/store/store.ts';
import { storeContract } from '../../contract/store.contract.ts';

storeContract(() => openSqlite({ path: ':memory:', log: silentLog }));

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'store.db');
}

async function openFile(path: string): Promise<Store> {
  const store = await openSqlite({ path, log: silentLog });
  onTestFinished(() => store.close());
  return store;
}

test('what was answered is there after the file is opened again', async () => {
  const path = temporaryFile();
  const first = await openFile(path);
  await first.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      first.transaction((tx) => tx.run('INSERT INTO items VALUES (?)', `${n}`)),
    ),
  );
  await first.close();
  const second = await openFile(path);
  expect(await second.get('SELECT count(*) AS n FROM items')).toEqual({ n: 50 });
});

test('the database is for its owner alone', async () => {
  const path = temporaryFile();
  const store = await openFile(path);
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(statSync(`${path}-wal`).mode & 0o077).toBe(0);
});

test('a file that is no database is a fault, not a crash', async () => {
  const path = temporaryFile();
  writeFileSync(
    path,
    'This is a letter, and a rather long one, from somebody who mistook the folder.'.repeat(20),
  );
  await expect(openSqlite({ path, log: silentLog })).rejects.toMatchObject({ code: 'store' });
});

test('a store in memory leaves no file behind, even while it is open', async () => {
  const ours = () => readdirSync(tmpdir()).filter((name) => existsSync(join(tmpdir(), name, 'store.db')));
  const before = ours();
  const store = await openFile(':memory:');
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  expect(ours().filter((name) => !before.includes(name) && !name.startsWith('tapbench-test-'))).toEqual([]);
});

test('a full disk fails everything of that commit and nothing else, and room makes it work again', async () => {
  const store = await openFile(temporaryFile());
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY, body TEXT)');
  const put = (id: string, bytes: number) =>
    store.transaction(async (tx) => {
      await tx.run('INSERT INTO items VALUES (?, ?)', `${id}, first half`, 'x');
      await tx.run('INSERT INTO items VALUES (?, ?)', `${id}, second half`, 'y'.repeat(bytes));
    });
  await put('acknowledged', 10);
  const pages = await store.get<{ page_count: number }>('PRAGMA page_count');
  await store.get(`PRAGMA max_page_count = ${pages!.page_count + 4}`);

  const effects: string[] = [];
  const together = await Promise.allSettled([
    store.transaction(async (tx) => {
      await tx.run('INSERT INTO items VALUES (?, ?)', 'in the same commit', 'z');
      tx.afterCommit(() => effects.push('never'));
    }),
    put('too large', 1_000_000),
    put('behind it', 10),
  ]);
  for (const ending of together)
    expect(ending).toMatchObject({ status: 'rejected', reason: { code: 'store' } });
  expect(effects).toEqual([]);
  await put('small enough', 10);

  await store.get('PRAGMA max_page_count = 100000');
  await put('too large', 1_000_000);
  const ids = (await store.all('SELECT id FROM items ORDER BY id')).map(({ id }) => id);
  expect(ids).toEqual([
    'acknowledged, first half',
    'acknowledged, second half',
    'small enough, first half',
    'small enough, second half',
    'too large, first half',
    'too large, second half',
  ]);
  expect(await store.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
});

test('a body that waits for the world is named in the log, since all others wait with it', async () => {
  const lines: unknown[] = [];
  const log = Object.assign(Object.create(silentLog) as typeof silentLog, {
    error: (line: unknown) => lines.push(line),
  });
  const store = await openSqlite({ path: ':memory:', log });
  onTestFinished(() => store.close());
  await store.transaction(async () => {
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  });
  expect(lines).toEqual([expect.stringContaining('waits for something other')]);
});
