import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { isMigrated, migrate, MIGRATIONS } from '../../../server/platform/store/migrations/migrate.ts';
import { openSqlite } from '../../../server/platform/store/sqlite.ts';
import { createFolderStorage } from '../../../server/sandboxes/folder-storage.ts';
import { writeSnapshot } from '../../../server/sandboxes/snapshots/write-snapshot.ts';

/** The last migration before the jobs had queues. */
const MIGRATION = 11;

test('snapshots: the tables of one that an earlier version made are updated when it is restored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-older-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const earlier = await openSqlite({ path: join(folder, 'earlier.db'), log: silentLog });
  onTestFinished(() => earlier.close());
  await migrate(earlier, silentLog, { migrations: MIGRATIONS.slice(0, MIGRATION) });
  await earlier.run(`INSERT INTO jobs (kind, subject, payload, due_ms) VALUES ('k', 'a', '{}', 5)`);
  const header = {
    format: 'tapbench-snapshot',
    version: 1,
    writtenBy: '0.0.9',
    migration: MIGRATION,
    sandbox: 'ci',
    createdMs: 1,
    clockMs: 1,
    pairingSecret: 'pair',
  } as const;
  const content = { header, queries: earlier, engine: 'sqlite', terminals: undefined } as const;
  const file = await buffer(writeSnapshot(content));

  const storage = createFolderStorage({ folder: join(folder, 'sandboxes'), log: silentLog });
  const keys = { secretKey: 'sk', publicKey: 'pk', pairingSecret: 'pair', dashboardToken: 'dash' };
  const facts = { createdMs: 1, usedMs: 1, expiresInSeconds: null, from: 'ci', seed: null, opens: 0 };
  const record = { name: 'restored', keys, ...facts };
  const open = () => Readable.from([file]);
  await storage.create(record, { snapshot: { header, file: { open, bytesMax: file.length } } });
  const store = await storage.open(record);
  onTestFinished(() => store.close());
  expect(await isMigrated(store)).toBe(true);
  expect(await store.all('SELECT subject, due_ms, queue FROM jobs')).toEqual([
    { subject: 'a', due_ms: 5, queue: '' },
  ]);
});
