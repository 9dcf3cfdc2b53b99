import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from '../../../../server/platform/store/folder-lock.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('folder lock: refuses a second server on the same folder, naming the first, until it releases it', () => {
  const folder = temporaryFolder();
  const first = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(
    expect.objectContaining({
      code: 'data_folder_in_use',
      message: expect.stringContaining(`DATA_DIR ${folder}`),
    }),
  );
  first.release();
  lockFolder(folder).release();
});

test('folder lock: creates a missing folder, for its owner only', () => {
  const folder = join(temporaryFolder(), 'deep', 'data');
  lockFolder(folder).release();
  expect(statSync(folder).mode & 0o077).toBe(0);
});

test('folder lock: throws a fault that names the setting when the path cannot be a folder', () => {
  const file = join(temporaryFolder(), 'a-file');
  writeFileSync(file, '');
  expect(() => lockFolder(file)).toThrow(
    expect.objectContaining({ code: 'data_folder', message: expect.stringContaining('DATA_DIR') }),
  );
});

test('folder lock: is held until it is released, also by a server that keeps nothing of it', async () => {
  const folder = temporaryFolder();
  lockFolder(folder);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  for (let collected = 0; collected < 3; collected += 1) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'data_folder_in_use' }));
});

test('folder lock: is released by kill -9 of its holder', async () => {
  const folder = temporaryFolder();
  // The same lock in a process of its own, in plain JavaScript so that every supported Node runs it.
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { DatabaseSync } from '@photostructure/sqlite';
     // Not a constant of the module, which would be collected as garbage, and its lock with it.
     globalThis.database = new DatabaseSync(${JSON.stringify(join(folder, 'server.lock'))});
     database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
     console.log('held');
     process.stdin.resume();`,
  ]);
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'data_folder_in_use' }));
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  lockFolder(folder).release();
});
