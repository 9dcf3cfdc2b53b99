import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkCommand } from '../../scripts/link-command.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapbench-link-'));
  mkdirSync(join(root, 'dist/cli'), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'dist/cli/main.js'), "#!/usr/bin/env node\nconsole.log('it runs');\n");
  chmodSync(join(root, 'dist/cli/main.js'), 0o755);
});
afterEach(() => rmSync(root, { recursive: true }));

const link = () => join(root, 'node_modules/.bin/tapbench');

test('linkCommand: makes a relative link that runs, and makes it again at the next build', async () => {
  expect(await linkCommand(root, { platform: 'linux', npm: undefined })).toBe(true);
  expect(await linkCommand(root, { platform: 'linux', npm: undefined })).toBe(true);
  expect(readlinkSync(link())).toBe('../../dist/cli/main.js');
  expect(execFileSync(link()).toString()).toBe('it runs\n');
});

test('linkCommand: on Windows the shims are those that the cmd-shim of npm writes', async () => {
  // A stand-in for npm's folder: which files there are is up to its cmd-shim.
  const npm = join(root, 'npm/bin/npm-cli.js');
  const shim = join(root, 'npm/node_modules/cmd-shim');
  mkdirSync(shim, { recursive: true });
  writeFileSync(
    join(shim, 'index.js'),
    `module.exports = async (from, to) => require('fs').writeFileSync(to + '.cmd', from);`,
  );
  expect(await linkCommand(root, { platform: 'win32', npm })).toBe(true);
  expect(readFileSync(`${link()}.cmd`, 'utf8')).toBe(join(root, 'dist/cli/main.js'));
});

test('linkCommand: on Windows without npm there is no link, and the build goes on', async () => {
  const pnpm = join(root, 'pnpm/bin/pnpm.cjs');
  expect(await linkCommand(root, { platform: 'win32', npm: undefined })).toBe(false);
  expect(await linkCommand(root, { platform: 'win32', npm: pnpm })).toBe(false);
});
