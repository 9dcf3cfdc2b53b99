import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../protocol/system/make-folder.ts';
import type { System } from '../../../protocol/system/this-system.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('makeFolder: creates a folder with its parents and keeps an existing one', () => {
  const folder = join(temporaryFolder(), 'one', 'two');
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o755);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('makeFolder: throws at once where a file exists or no folder can be created', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
  expect(() => makeFolder('/proc/tapbench/below')).toThrow('ENOENT');
});

test('makeFolder: takes EPERM for a folder that exists on Windows alone, which says it of the root of a drive', () => {
  const folder = temporaryFolder();
  const calls = (system: System) => ({
    system,
    make() {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    },
  });
  makeFolder(folder, 0o700, calls('win32'));
  expect(() => makeFolder(join(folder, 'new'), 0o700, calls('win32'))).toThrow('EPERM');
  for (const system of ['linux', 'darwin'] as const)
    expect(() => makeFolder(folder, 0o700, calls(system))).toThrow('EPERM');
});
