import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { createFolderStorage } from '../../../server/sandboxes/folder-storage.ts';
import type { SandboxStorage } from '../../../server/sandboxes/sandbox-storage.ts';
import { hostingServer } from './hosting-server.ts';

const COUNT = 20;

/** Counts the calls that are under way at once. */
function counter() {
  let [running, most] = [0, 0];
  return {
    most: () => most,
    async during<T>(work: () => Promise<T>): Promise<T> {
      running += 1;
      most = Math.max(most, running);
      return work().finally(() => (running -= 1));
    },
  };
}

test('sandboxes: of many that are created, used and deleted at once a few are created, opened and deleted at a time, and all are answered', async () => {
  const [creations, openings, removals] = [counter(), counter(), counter()];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-at-once-'));
  const stored = createFolderStorage({ folder, ephemeral: true, log: silentLog });
  let endCreations!: () => void;
  const created = new Promise<void>((resolve) => (endCreations = resolve));
  let createdCount = 0;
  const storage: SandboxStorage = {
    ...stored,
    async create(record, origin) {
      await creations.during(() => stored.create(record, origin));
      createdCount += 1;
      if (createdCount === COUNT) endCreations();
    },
    // As many as may are opened at once, since none is before all have been created.
    open: (record) => openings.during(() => created.then(() => stored.open(record))),
    remove: (record) => removals.during(() => stored.remove(record)),
  };
  const { call } = await hostingServer({ storage });
  const names = Array.from({ length: COUNT }, (_, index) => `one-${index}`);
  const all = (operationOf: (name: string) => string, body?: (name: string) => object) =>
    Promise.all(names.map((name) => call(operationOf(name), { ...(body && { body: body(name) }) })));
  const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))];

  const answers = await all(
    () => 'POST /sandboxes',
    (name) => ({ name }),
  );
  expect(statuses(answers)).toEqual([200]);
  const used = await Promise.all(
    answers.map(({ body }) => call('GET /v1/customers', { key: String(body.secretKey) })),
  );
  expect(statuses(used)).toEqual([200]);
  expect(statuses(await all((name) => `DELETE /sandboxes/${name}`))).toEqual([200]);
  expect((await call('GET /sandboxes')).body.items).toHaveLength(1);
  // How many of them meet depends on how fast each one ends.
  for (const { most } of [creations, openings, removals]) {
    expect(most()).toBeGreaterThan(1);
    expect(most()).toBeLessThanOrEqual(4);
  }
});

test('sandboxes: the name of one that is deleted while its settings are stored is taken until it is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-at-once-'));
  const stored = createFolderStorage({ folder, ephemeral: true, log: silentLog });
  let beginSaving!: () => void;
  let beginRemoval!: () => void;
  let endRemoval!: () => void;
  const saving = new Promise<void>((resolve) => (beginSaving = resolve));
  const begun = new Promise<void>((resolve) => (beginRemoval = resolve));
  const ended = new Promise<void>((resolve) => (endRemoval = resolve));
  const storage: SandboxStorage = {
    ...stored,
    async saveSettings(record) {
      beginSaving();
      await begun;
      await stored.saveSettings(record);
    },
    async remove(record) {
      await stored.remove(record);
      beginRemoval();
      await ended;
    },
  };
  const { call, create } = await hostingServer({ storage });
  await create({ name: 'ci' });
  const changed = call('PATCH /sandboxes/ci', { body: { pace: 'instant' } });
  await saving;
  const deleted = call('DELETE /sandboxes/ci');
  await changed;
  const again = () => call('POST /sandboxes', { body: { name: 'ci' } });
  const early = await again();
  endRemoval();
  expect([early.status, (await deleted).status, (await again()).status]).toEqual([409, 200, 200]);
});
