import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { createFolderStorage } from '../../../server/sandboxes/folder-storage.ts';
import { recordOf, sandboxStorageContract } from '../../contract/sandbox-storage.contract.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

sandboxStorageContract(async () => {
  const folder = join(newFolder(), 'sandboxes');
  const main = await openStore({ path: ':memory:', log: silentLog });
  onTestFinished(() => main.close());
  return { main, open: () => createFolderStorage({ folder, log: silentLog }) };
});

test('folder storage: what a process left half-made or half-deleted is removed', async () => {
  const folder = newFolder();
  const left = ['.new-ci', '.deleted-ci'].map((name) => join(folder, name));
  for (const path of left) mkdirSync(path);
  expect(await createFolderStorage({ folder, log: silentLog }).list()).toEqual([]);
  expect(left.filter((path) => existsSync(path))).toEqual([]);
});

test('folder storage: one that is removed frees its name at once, and its files are gone when the storage is closed', async () => {
  const folder = newFolder();
  const storage = createFolderStorage({ folder, log: silentLog });
  for (let times = 0; times < 2; times += 1) {
    await storage.create(recordOf('ci'));
    await storage.remove(recordOf('ci'));
    expect(await storage.read()).toEqual([]);
  }
  await storage.close();
  expect(readdirSync(folder)).toEqual([]);
});
