import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../protocol/folder.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a folder is made with those above it, and left alone when it is there', () => {
  const folder = join(temporaryFolder(), 'one', 'two');
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o755);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('where there is a file of that name, or no folder can be made, that is said at once', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
  expect(() => makeFolder('/proc/tapbench/below')).toThrow('ENOENT');
});
