import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { openSqlite } from '../../../../server/platform/store/sqlite.ts';
import type { Store } from '../../../../server/platform/store/store.ts';
import { storeContract } from '../../../contract/store.contract.ts';
import { storedObjectsContract } from '../../../contract/stored-objects.contract.ts';

storeContract(() => openSqlite({ path: ':memory:', log: silentLog }));
storedObjectsContract(() => openSqlite({ path: ':memory:', log: silentLog }));

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'store.db');
}

// The header of a log, that of a frame, and a page (https://sqlite.org/fileformat.html §4).
const BEGUN_LOG_BYTES = 32 + 24 + 4096;

async function openFile(path: string): Promise<Store> {
  const store = await openSqlite({ path, log: silentLog });
  onTestFinished(() => store.close());
  return store;
}

test('SQLite store: committed data are there after the file is opened again', async () => {
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

test('SQLite store: the database file is for its owner only', async () => {
  const path = temporaryFile();
  const store = await openFile(path);
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(statSync(`${path}-wal`).mode & 0o077).toBe(0);
});

test('SQLite store: throws a fault for a file that is no database', async () => {
  const path = temporaryFile();
  writeFileSync(
    path,
    'This is a letter, and a rather long one, from somebody who mistook the folder.'.repeat(20),
  );
  await expect(openSqlite({ path, log: silentLog })).rejects.toMatchObject({ code: 'store' });
});

test('SQLite store: in memory leaves no file, even while it is open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const store = await openFile(':memory:');
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  expect(readdirSync(folder)).toEqual([]);
});

test('SQLite store: a full disk fails that commit only, and works again when there is room', async () => {
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

/** A log that keeps the lines of its errors. */
function errorLog() {
  const lines: unknown[] = [];
  const log = Object.assign(Object.create(silentLog) as typeof silentLog, {
    error: (line: unknown) => lines.push(line),
  });
  return { log, lines };
}

test('SQLite store: logs a transaction that waits for something outside, since all others wait with it', async () => {
  const { log, lines } = errorLog();
  const store = await openSqlite({ path: ':memory:', log });
  onTestFinished(() => store.close());
  await store.transaction(async () => {
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  });
  expect(lines).toEqual([expect.stringContaining('waits for something other')]);
});

test('SQLite store: does not log a slow sync of the disk as such a transaction', async () => {
  const { log, lines } = errorLog();
  const slowSync = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  const store = await openSqlite({ path: temporaryFile(), log, sync: slowSync });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE items (id TEXT)');
  await store.run("INSERT INTO items VALUES ('written')");
  expect(lines).toEqual([]);
});

/** A disk whose syncs fail from when the test says so. */
function failingDisk() {
  const disk = {
    fails: false,
    async sync() {
      if (disk.fails) throw new Error('EIO: i/o error, fdatasync');
    },
  };
  return disk;
}

test('SQLite store: after a failed sync this process reads neither the refused commit nor anything else', async () => {
  const disk = failingDisk();
  const path = temporaryFile();
  const store = await openSqlite({ path, log: silentLog, sync: disk.sync });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  const effects: string[] = [];
  disk.fails = true;
  const refused = store.transaction(async (tx) => {
    await tx.run('INSERT INTO items VALUES (?)', 'never synced');
    tx.afterCommit(() => effects.push('told'));
  });
  await expect(refused).rejects.toMatchObject({ code: 'store', message: expect.stringContaining('EIO') });
  disk.fails = false;
  await expect(store.all('SELECT id FROM items')).rejects.toMatchObject({ code: 'store' });
  await expect(store.get('SELECT id FROM items')).rejects.toMatchObject({ code: 'store' });
  await expect(store.run('DELETE FROM items')).rejects.toMatchObject({ code: 'store' });
  expect(effects).toEqual([]);
  expect(store.trouble!.current()).toMatchObject({ lasting: true });
});

test('SQLite store: a read during a commit to the disk waits for it', async () => {
  let onDisk!: () => void;
  let syncs = 0;
  const sync = () => (++syncs === 2 ? new Promise<void>((resolve) => (onDisk = resolve)) : Promise.resolve());
  const store = await openSqlite({ path: temporaryFile(), log: silentLog, sync });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  expect(syncs).toBe(1);
  const written = store.run('INSERT INTO items VALUES (?)', 'a');
  let seen: unknown;
  while (syncs < 2) await new Promise((resolve) => setImmediate(resolve));
  const read = store.all('SELECT id FROM items').then((rows) => (seen = rows));
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toBeUndefined();
  onDisk();
  await Promise.all([written, read]);
  expect(seen).toHaveLength(1);
});

test('SQLite store: a close of one that is deleted next writes and syncs nothing', async () => {
  const path = temporaryFile();
  let syncs = 0;
  const store = await openSqlite({ path, log: silentLog, sync: async () => void (syncs += 1) });
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  const [logBytes, before] = [statSync(`${path}-wal`).size, syncs];
  await store.close({ isDeleted: true });
  expect(syncs).toBe(before);
  expect(logBytes).toBeGreaterThan(0);
  expect(statSync(`${path}-wal`).size).toBe(logBytes);
});

test('SQLite store: a close syncs the log, then the file into which it is written, then empties the log', async () => {
  const path = temporaryFile();
  const synced: { file: string; logBytes: number }[] = [];
  const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0);
  const sync = async (file: number) => {
    const isMain = fstatSync(file).ino === statSync(path).ino;
    synced.push({ file: isMain ? 'main' : 'log', logBytes: sizeOf(`${path}-wal`) });
  };
  const store = await openSqlite({ path, log: silentLog, sync });
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  synced.length = 0;
  await store.close();
  expect(synced.map(({ file }) => file)).toEqual(['log', 'main']);
  expect(synced.every(({ logBytes }) => logBytes > 0)).toBe(true);
  expect(sizeOf(`${path}-wal`)).toBe(0);
  const again = await openFile(path);
  expect(await again.all('SELECT id FROM items')).toEqual([]);
});

test('SQLite store: a close that cannot sync the log leaves it for the next start, with what was committed', async () => {
  const path = temporaryFile();
  let closing = false;
  const sync = async () => {
    if (closing) throw new Error('EIO: i/o error, fdatasync');
  };
  const store = await openSqlite({ path, log: silentLog, sync });
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  closing = true;
  await store.close();
  const again = await openFile(path);
  expect(await again.all('SELECT id FROM items')).toEqual([]);
});

test('SQLite store: a read after a commit sees it, also in the turn of an earlier read', async () => {
  const store = await openSqlite({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  await store.run('CREATE TABLE items (id TEXT)');
  const seen: unknown[] = [];
  const count = async () => seen.push((await store.get('SELECT count(*) AS n FROM items'))!['n']);
  await store.transaction(async (tx) => {
    await tx.run("INSERT INTO items VALUES ('one')");
    void count();
    tx.afterCommit(() => void count());
  });
  await count();
  expect(seen).toEqual([0, 1, 1]);
});

test('SQLite store: runs transactions, and their effects, in the order in which they are requested', async () => {
  const store = await openFile(temporaryFile());
  await store.run('CREATE TABLE items (id TEXT)');
  const history: string[] = [];
  const write = (name: string) =>
    store.transaction(async (tx) => {
      history.push(`run ${name}`);
      await tx.run('INSERT INTO items VALUES (?)', name);
      tx.afterCommit(() => history.push(`${name} on disk`));
    });
  await Promise.all(['a', 'b', 'c'].map(write));
  expect(history).toEqual(['run a', 'run b', 'run c', 'a on disk', 'b on disk', 'c on disk']);
});

test('SQLite store: what a failed sync left is on disk before it is read again, or the store does not open', async () => {
  const disk = failingDisk();
  const path = temporaryFile();
  const store = await openSqlite({ path, log: silentLog, sync: disk.sync });
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  disk.fails = true;
  await expect(store.run('INSERT INTO items VALUES (?)', 'unknown')).rejects.toMatchObject({ code: 'store' });
  await store.close();
  await expect(openSqlite({ path, log: silentLog, sync: disk.sync })).rejects.toMatchObject({
    code: 'store',
  });

  disk.fails = false;
  const again = await openSqlite({ path, log: silentLog, sync: disk.sync });
  onTestFinished(() => again.close());
  expect(statSync(`${path}-wal`).size).toBe(BEGUN_LOG_BYTES);
  expect(await again.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
});

test('SQLite store: begins an empty log as it opens, without a change, so that no commit waits for its header on this thread', async () => {
  const path = temporaryFile();
  const first = await openFile(path);
  await first.run('PRAGMA user_version = 7');
  await first.run('CREATE TABLE items (id TEXT PRIMARY KEY)');
  await first.close();
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  const again = await openFile(path);
  expect(statSync(`${path}-wal`).size).toBe(BEGUN_LOG_BYTES);
  expect(await again.get('PRAGMA user_version')).toEqual({ user_version: 7 });
  expect(await again.get('SELECT count(*) AS n FROM items')).toEqual({ n: 0 });
});

test('SQLite store: write trouble begins with a full disk and ends with the next successful write', async () => {
  const store = await openFile(temporaryFile());
  await store.run('CREATE TABLE items (id TEXT PRIMARY KEY, body TEXT)');
  let begun = 0;
  store.trouble!.onBegin(() => begun++);
  await store.get('PRAGMA max_page_count = 4');
  for (let round = 0; round < 2; round++) {
    await expect(
      store.run('INSERT INTO items VALUES (?, ?)', `${round}`, 'x'.repeat(100_000)),
    ).rejects.toMatchObject({ code: 'store' });
  }
  expect(begun).toBe(1);
  expect(store.trouble!.current()).toEqual({
    reason: expect.stringContaining('database or disk is full'),
    lasting: false,
  });
  await store.get('SELECT 1');
  expect(store.trouble!.current()).toBeDefined();
  await store.run('INSERT INTO items VALUES (?, ?)', 'small', '');
  expect(store.trouble!.current()).toBeUndefined();
});

test('SQLite store: closed a second time, it closes no file that was opened since', async () => {
  const store = await openFile(temporaryFile());
  await store.close();
  const opened = Array.from({ length: 8 }, () => openSync(import.meta.filename, 'r'));
  onTestFinished(() => opened.forEach((file) => closeSync(file)));
  await store.close();
  expect(opened.map((file) => fstatSync(file).isFile())).toEqual(opened.map(() => true));
});
