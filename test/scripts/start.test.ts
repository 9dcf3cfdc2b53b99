import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');

/** A project with our start script. Its build writes a command that prints its arguments. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapbench-start-'));
  mkdirSync(join(root, 'cli'));
  for (const path of ['scripts', 'cli/process/supported-node.mjs']) {
    cpSync(join(PROJECT, path), join(root, path), { recursive: true });
  }
  writeFileSync(
    join(root, 'scripts/build.mjs'),
    `import { mkdirSync, writeFileSync } from 'node:fs';
     import { beginBuild } from './freshness.mjs';
     mkdirSync('dist/cli', { recursive: true });
     const complete = beginBuild('.', Date.now());
     writeFileSync('dist/cli/main.js', "console.log(process.argv.slice(2).join(' '))");
     complete();
     console.log('built');`,
  );
});
afterEach(() => rmSync(root, { recursive: true }));

const start = async (...words: string[]) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/start.mjs', ...words], {
    cwd: root,
  });
  return stdout;
};

test('npm start: builds only when dist/ is stale, then runs `tapbench up` with its arguments', async () => {
  expect(await start('--json')).toBe('built\nup --json\n');
  expect(await start('--seed', 'seed.json')).toBe('up --seed seed.json\n');
});

test('npm start: exits with the code of a build that fails', async () => {
  writeFileSync(join(root, 'scripts/build.mjs'), 'process.exit(3)');
  await expect(start()).rejects.toMatchObject({ code: 3 });
});
