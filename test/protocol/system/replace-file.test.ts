import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../../../protocol/system/replace-file.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each([true, false])(
  'replaceFile: writes a file for its owner alone in place of another (sync: %s)',
  (sync) => {
    const folder = temporaryFolder();
    const path = join(folder, 'keys.json');
    writeFileSync(path, 'before', { mode: 0o644 });
    replaceFile(path, 'after', { sync });
    expect(readFileSync(path, 'utf8')).toBe('after');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  },
);

test('replaceFile: leaves nothing behind when the file cannot be replaced', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'keys.json'));
  expect(() => replaceFile(join(folder, 'keys.json'), 'after')).toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['keys.json']);
});

test('replaceFile: throws the error of a file that cannot be written, not that of removing it', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'keys.json.new'));
  expect(() => replaceFile(join(folder, 'keys.json'), 'after')).toThrow('open');
});
