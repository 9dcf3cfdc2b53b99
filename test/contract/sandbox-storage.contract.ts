import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../server/platform/http/refusals.ts';
import { MIGRATIONS } from '../../server/platform/store/migrations/migrate.ts';
import { UniqueViolation, type Store, type Transaction } from '../../server/platform/store/store.ts';
import type { SandboxRecord } from '../../server/sandboxes/sandbox-record.schema.ts';
import type { SandboxStorage } from '../../server/sandboxes/sandbox-storage.ts';
import type { SnapshotHeader } from '../../server/sandboxes/snapshots/snapshot-format.schema.ts';
import type { SnapshotSource } from '../../server/sandboxes/snapshots/snapshot-storage.ts';

export interface StorageUnderTest {
  /** Opens the storage, as a new process does. */
  open(): SandboxStorage;
  /** The open store of the sandbox `default`, of the same kind. */
  main: Store;
}

const NOW_MS = Date.UTC(2026, 0, 5, 9);

/** Returns the record of a sandbox that was never opened. */
export function recordOf(name: string): SandboxRecord {
  const keyOf = (kind: string) => `${kind}_${name}`;
  return {
    name,
    keys: {
      secretKey: keyOf('sk'),
      publicKey: keyOf('pk'),
      pairingSecret: keyOf('pair'),
      dashboardToken: keyOf('dash'),
    },
    createdMs: NOW_MS,
    usedMs: NOW_MS,
    expiresInSeconds: null,
    from: null,
    seed: null,
    opens: 0,
  };
}

/** The sandbox `default` as the source of a snapshot. */
function sourceOf(store: Store): SnapshotSource {
  const header = (): SnapshotHeader => ({
    format: 'tapbench-snapshot',
    version: 1,
    writtenBy: '0.1.0',
    migration: MIGRATIONS.length,
    sandbox: 'default',
    createdMs: NOW_MS,
    clockMs: NOW_MS + 1,
    pairingSecret: 'pair_default',
  });
  return { name: 'default', store, header };
}

function addJob(store: Store, subject: string, claimedBy: string | null = null) {
  return store.run(
    `INSERT INTO jobs (kind, subject, payload, due_ms, claimed_by, claimed_until_ms) VALUES ('k', ?, '{}', 0, ?, 0)`,
    subject,
    claimedBy,
  );
}

const jobsIn = (store: Store) =>
  store.all<{ seq: number; subject: string }>('SELECT seq, subject FROM jobs ORDER BY seq');

const namesIn = async (storage: SandboxStorage) => (await storage.list()).map(({ name }) => name).toSorted();

/** What keeping sandboxes promises. `start` makes a new, empty place for them. */
export function sandboxStorageContract(start: () => Promise<StorageUnderTest>): void {
  async function started() {
    const { open, main } = await start();
    const storage = open();
    await storage.list();
    onTestFinished(() => storage.close());
    const stored = async (name: string, source?: Store) => {
      const record = recordOf(name);
      await storage.create(record, { source });
      return record;
    };
    const opened = async (record: SandboxRecord) => {
      const store = await storage.open(record);
      onTestFinished(() => store.close());
      return store;
    };
    return { main, storage, open, stored, opened };
  }

  test('sandbox storage: a new process finds the records that were stored', async () => {
    const { storage, open, stored } = await started();
    const records = [await stored('ci-1234'), await stored('a'), await stored('0'.repeat(40))];
    const next = open();
    onTestFinished(() => next.close());
    expect((await next.list()).toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
      records.toSorted((a, b) => a.name.localeCompare(b.name)),
    );
    expect(await namesIn(storage)).toEqual(await namesIn(next));
  });

  test('sandbox storage: each sandbox has the tables, and rows of its own', async () => {
    const { main, stored, opened } = await started();
    const [one, other] = [await opened(await stored('one')), await opened(await stored('other'))];
    await addJob(one, 'one');
    await Promise.all(Array.from({ length: 20 }, (_, at) => addJob(other, `other ${at}`)));
    const counts = await Promise.all([one, other, main].map(async (store) => (await jobsIn(store)).length));
    expect(counts).toEqual([1, 20, 0]);
  });

  test('sandbox storage: a fork has the rows of its source, and new ones get numbers that the source never gave', async () => {
    const { main, stored, opened } = await started();
    for (const subject of ['a', 'b', 'c']) await addJob(main, subject, 'a server');
    const rows = await jobsIn(main);
    await main.run(`DELETE FROM jobs WHERE subject = 'c'`);
    const fork = await opened(await stored('fork', main));
    const second = await opened(await stored('second', fork));
    await addJob(main, 'of the source');
    for (const store of [fork, second]) {
      await addJob(store, 'new');
      expect(await jobsIn(store)).toEqual([rows[0], rows[1], { seq: rows[2]!.seq + 1, subject: 'new' }]);
    }
  });

  test('sandbox storage: a fork keeps the terminals of its source as they were exported', async () => {
    const { main, storage, stored } = await started();
    const fork = recordOf('fork');
    await storage.create(fork, { source: main, exportTerminals: async () => [{ terminalId: 'tml_1' }] });
    expect(await storage.readTerminals(fork)).toEqual([{ terminalId: 'tml_1' }]);
    expect(await storage.readTerminals(await stored('new'))).toBeUndefined();
  });

  test('sandbox storage: one that is prepared has what was changed, and is absent when that fails', async () => {
    const { main, storage, opened } = await started();
    await addJob(main, 'of the source');
    const prepare = (tx: Transaction) =>
      tx.run(`INSERT INTO settings (name, value) VALUES ('prepared', 'yes')`).then(() => undefined);
    for (const [name, source] of [['new', undefined] as const, ['fork', main] as const]) {
      const record = recordOf(name);
      await storage.create(record, { source, prepare });
      const store = await opened(record);
      expect(await store.all(`SELECT value FROM settings WHERE name = 'prepared'`)).toHaveLength(1);
      expect(await jobsIn(store)).toHaveLength(source ? 1 : 0);
    }
    const refusal = new Refusal('invalid_field', { field: 'clock', problem: 'is early' });
    const failing = storage.create(recordOf('late'), {
      source: main,
      prepare: () => Promise.reject(refusal),
    });
    await expect(failing).rejects.toBe(refusal);
    expect(await namesIn(storage)).toEqual(['fork', 'new']);
  });

  test('sandbox storage: a fork during many transactions has each of them whole or not at all', async () => {
    const { main, stored, opened } = await started();
    const writing = Array.from({ length: 50 }, (_, at) =>
      main.transaction(async (tx) => {
        for (const half of ['first', 'second'])
          await tx.run(`INSERT INTO settings (name, value) VALUES (?, 'half')`, `${half} ${at}`);
      }),
    );
    const fork = await opened(await stored('fork', main));
    await Promise.all(writing);
    const halves = await fork.all<{ name: string }>(`SELECT name FROM settings WHERE value = 'half'`);
    const numbers = halves.map(({ name }) => name.split(' ')[1]);
    expect(numbers.filter((number) => numbers.indexOf(number) === numbers.lastIndexOf(number))).toEqual([]);
  });

  test('sandbox storage: a snapshot restores the rows, their numbers and the terminals', async () => {
    const { main, storage, opened } = await started();
    for (const subject of ['a', 'b', 'c', 'd']) await addJob(main, subject, 'a server');
    await main.run(`DELETE FROM jobs WHERE subject IN ('b', 'd')`);
    await main.run(`INSERT INTO settings (name, value) VALUES ('text', 'line\n"quoted" €')`);
    const rows = await jobsIn(main);
    const [source, terminals] = [sourceOf(main), [{ terminalId: 'tml_1' }]];
    const made = await storage.snapshots.create(
      'snap_1',
      { ...source, exportTerminals: async () => terminals },
      1e6,
    );
    await addJob(main, 'of the source');
    expect(made).toMatchObject({ id: 'snap_1', sandbox: 'default', createdMs: NOW_MS, clockMs: NOW_MS + 1 });
    expect(await storage.snapshots.list()).toEqual([made]);

    const file = { open: () => storage.snapshots.open(made), bytesMax: made.bytes };
    const record = recordOf('restored');
    await storage.create(record, { snapshot: { header: source.header(), file } });
    const store = await opened(record);
    expect(await storage.readTerminals(record)).toEqual(terminals);
    expect(await store.all(`SELECT value FROM settings WHERE name = 'text'`)).toEqual([
      { value: 'line\n"quoted" €' },
    ]);
    expect(await store.all('SELECT seq FROM jobs WHERE claimed_by IS NOT NULL')).toEqual([]);
    await addJob(store, 'new');
    expect(await jobsIn(store)).toEqual([...rows, { seq: rows.at(-1)!.seq + 2, subject: 'new' }]);
    await storage.snapshots.remove(made);
    expect(await storage.snapshots.find('snap_1')).toBeUndefined();
  });

  test('sandbox storage: snapshots are removed with their sandbox, and a damaged one leaves nothing', async () => {
    const { main, storage, stored } = await started();
    const record = await stored('ci');
    const store = await storage.open(record);
    const made = await storage.snapshots.create('snap_1', { ...sourceOf(store), name: 'ci' }, 1e6);
    await store.close();
    const kept = await storage.snapshots.create('snap_2', sourceOf(main), 1e6);
    const half = { open: () => Readable.from([Buffer.from('{}')]), bytesMax: 1e6 };
    const damaged = storage.create(recordOf('half'), {
      snapshot: { header: sourceOf(main).header(), file: half },
    });
    await expect(damaged).rejects.toMatchObject({ refusal: 'not_a_snapshot' });
    await expect(storage.snapshots.create('snap_3', sourceOf(main), 10)).rejects.toMatchObject({
      refusal: 'snapshot_too_large',
    });
    expect(await namesIn(storage)).toEqual(['ci']);
    expect(new Set(await storage.snapshots.list())).toEqual(new Set([made, kept]));
    await storage.remove(record);
    expect(await storage.snapshots.list()).toEqual([kept]);
  });

  test('sandbox storage: a sandbox that is removed is gone with its rows, and its name is free', async () => {
    const { storage, stored, opened } = await started();
    const record = await stored('ci');
    await stored('kept');
    const store = await storage.open(record);
    await addJob(store, 'a');
    await store.close();
    await storage.remove(record);
    expect(await namesIn(storage)).toEqual(['kept']);
    expect(await jobsIn(await opened(await stored('ci')))).toEqual([]);
  });

  test('sandbox storage: one that cannot be made whole is not there, and its name is free', async () => {
    const { main, storage, open, stored } = await started();
    const closed = await storage.open(await stored('source'));
    await closed.close();
    await expect(storage.create(recordOf('ci'), { source: closed })).rejects.toMatchObject({ code: 'store' });
    const next = open();
    onTestFinished(() => next.close());
    expect(await namesIn(next)).toEqual(['source']);
    await storage.create(recordOf('ci'), { source: main });
    expect(await namesIn(storage)).toEqual(['ci', 'source']);
  });

  test('sandbox storage: the number of openings and the last use are stored', async () => {
    const { storage } = await started();
    const record = { ...recordOf('ci'), seed: 'one' };
    await storage.create(record);
    const counted = await storage.countOpen(await storage.countOpen(record));
    expect(counted.opens).toBe(2);
    await storage.saveUse({ ...counted, usedMs: NOW_MS + 5_000 });
    expect(await storage.list()).toEqual([{ ...record, opens: 2, usedMs: NOW_MS + 5_000 }]);
  });

  test('sandbox storage: settings of its own are stored, and leave the last use alone', async () => {
    const { storage } = await started();
    const record = recordOf('ci');
    await storage.create(record);
    const counted = await storage.countOpen(record);
    await storage.saveUse({ ...counted, usedMs: NOW_MS + 5_000 });
    const settings = { strict: 'on', idempotencyKeys: 'off' } as const;
    const used = { ...counted, usedMs: NOW_MS + 5_000 };
    await storage.saveSettings({ ...used, settings });
    expect(await storage.list()).toEqual([{ ...record, settings, opens: 1, usedMs: NOW_MS + 5_000 }]);
  });

  test('sandbox storage: another process reads the records, also before a server has listed them', async () => {
    const { open } = await start();
    const [storage, other] = [open(), open()];
    onTestFinished(async () => {
      for (const each of [storage, other]) await each.close();
    });
    expect(await other.read()).toEqual([]);
    await storage.list();
    await storage.create(recordOf('ci'));
    expect(await other.read()).toMatchObject([recordOf('ci')]);
  });
}

/** What storing promises besides when several servers have the same sandboxes. */
export function sharedStorageContract(start: () => Promise<StorageUnderTest>): void {
  async function twoServers() {
    const { open } = await start();
    const [first, second] = [open(), open()];
    for (const storage of [first, second]) {
      await storage.list();
      onTestFinished(() => storage.close());
    }
    return { first, second };
  }

  test('shared sandbox storage: a record that one server adds or removes changes the revision and what the other reads', async () => {
    const { first, second } = await twoServers();
    const revisions = [await second.shared!.revision()];
    await first.create(recordOf('ci'));
    revisions.push(await second.shared!.revision());
    expect(await second.read()).toMatchObject([recordOf('ci')]);
    await first.remove(recordOf('ci'));
    revisions.push(await second.shared!.revision());
    expect(await second.read()).toEqual([]);
    await first.create(recordOf('ci'));
    revisions.push(await second.shared!.revision());
    // The first and the third are of no records.
    expect(new Set(revisions).size).toBe(3);
  });

  test('shared sandbox storage: of two servers that take a name at once, one does', async () => {
    const { first, second } = await twoServers();
    const settled = await Promise.allSettled(
      [first, second].map((storage) => storage.create(recordOf('ci'))),
    );
    const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(failures).toEqual([expect.any(UniqueViolation)]);
  });

  test('shared sandbox storage: each opening on any server has another number', async () => {
    const { first, second } = await twoServers();
    await first.create(recordOf('ci'));
    const counted = await Promise.all([first, second, first].map((one) => one.countOpen(recordOf('ci'))));
    expect(counted.map(({ opens }) => opens).toSorted()).toEqual([1, 2, 3]);
  });

  test('shared sandbox storage: one that removes a sandbox leaves a newer one with its name', async () => {
    const { first, second } = await twoServers();
    await first.create(recordOf('ci'));
    await first.remove(recordOf('ci'));
    const newer = { ...recordOf('ci'), keys: recordOf('newer').keys };
    await first.create(newer);
    await second.remove(recordOf('ci'));
    expect(await second.list()).toEqual([newer]);
  });
}
