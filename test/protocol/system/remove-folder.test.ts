import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync, type RmOptions } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder, removeFolderSync, removeOpenFolder } from '../../../protocol/system/remove-folder.ts';
import type { System } from '../../../protocol/system/this-system.ts';

/** Calls that note themselves. @param trouble what a removal throws */
function notedCalls(system: System, trouble?: Error) {
  const made: unknown[] = [];
  const removeNow = (path: string, options: RmOptions) => {
    made.push({ path, ...options });
    if (trouble) throw trouble;
  };
  const calls = {
    system,
    remove: async (path: string, options: RmOptions) => removeNow(path, options),
    removeEntries: async (path: string) => {
      made.push({ entriesOf: path });
      throw new Error('EBUSY');
    },
    releaseFiles: async () => void made.push('release'),
    removeNow,
  };
  return { made, calls };
}

const ENTRIES = { entriesOf: 'a' };
const ONCE = { path: 'a', recursive: true, force: true };
const AGAIN = { ...ONCE, maxRetries: 10, retryDelay: 50 };

test.each(['linux', 'darwin'] as const)(
  'removeFolder: removes by rm what its entries hinder on %s',
  async (system) => {
    const { made, calls } = notedCalls(system);
    await removeFolder('a', calls);
    removeFolderSync('a', { system, remove: calls.removeNow });
    expect(made).toEqual([ENTRIES, ONCE, ONCE]);
  },
);

test('removeFolder: on Windows releases closed databases first, and tries again', async () => {
  const { made, calls } = notedCalls('win32');
  await removeFolder('a', calls);
  removeFolderSync('a', { system: 'win32', remove: calls.removeNow });
  expect(made).toEqual(['release', ENTRIES, AGAIN, AGAIN]);
});

test.each(['linux', 'darwin'] as const)(
  'removeOpenFolder: removes at once on %s, and not again',
  async (system) => {
    const { made, calls } = notedCalls(system);
    const whenClosed = removeOpenFolder('a', calls);
    expect(made).toEqual([ONCE]);
    await whenClosed();
    expect(made).toEqual([ONCE]);
  },
);

test('removeOpenFolder: on Windows removes when the files are closed', async () => {
  const { made, calls } = notedCalls('win32');
  const whenClosed = removeOpenFolder('a', calls);
  expect(made).toEqual([]);
  await whenClosed();
  expect(made).toEqual(['release', ENTRIES, AGAIN]);
});

test.each(['linux', 'darwin', 'win32'] as const)('removeOpenFolder: never throws on %s', async (system) => {
  const { calls } = notedCalls(system, new Error('EACCES'));
  await expect(removeOpenFolder('a', calls)()).resolves.toBeUndefined();
});

test('removeFolder: removes a folder with a file on this system, and none that does not exist', async () => {
  const made = () => {
    const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
    writeFileSync(join(folder, 'file'), '');
    return folder;
  };
  const folders = [made(), made(), made()] as const;
  await removeFolder(folders[0]);
  removeFolderSync(folders[1]);
  removeOpenFolder(folders[2]);
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false, false]);
  await removeFolder(folders[0]);
});

test('removeFolder: deletes folders in a folder, and of a link only the link', async () => {
  const kept = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  const link = join(kept, 'link');
  writeFileSync(join(kept, 'file'), '');
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'inner', 'file'), '');
  symlinkSync(kept, join(folder, 'link'), 'junction');
  symlinkSync(kept, link, 'junction');
  await removeFolder(folder);
  await removeFolder(link);
  expect([existsSync(folder), existsSync(link), existsSync(join(kept, 'file'))]).toEqual([
    false,
    false,
    true,
  ]);
  await removeFolder(kept);
});
