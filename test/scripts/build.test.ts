import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');

/** A project with our build and one source. Its compiler and its bundlers only note that they ran. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapbench-build-'));
  for (const path of ['scripts', 'cli/process/supported-node.mjs']) {
    cpSync(join(PROJECT, path), join(root, path), { recursive: true });
  }
  write('scripts/build-page.mjs', 'export async function buildPage() { return []; }');
  write('scripts/build-offline-page.mjs', 'export async function buildOfflinePage() { return []; }');
  write('scripts/bundle.mjs', 'export async function bundle() {}');
  write('scripts/build-layouts.mjs', 'export async function buildLayouts() {}');
  write('protocol/version.ts', '');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function installCompiler(): void {
  write(
    'node_modules/typescript/bin/tsc',
    `const fs = require('fs');
     fs.mkdirSync('dist/cli', { recursive: true });
     fs.writeFileSync('dist/cli/main.js', '');
     fs.appendFileSync('runs', 'x');`,
  );
}

const build = (...words: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs'), ...words], { cwd: tmpdir() });
const runs = () => readFileSync(join(root, 'runs'), 'utf8').length;

/** As `git pull` leaves a file that it replaced. */
function pull(path: string): void {
  const later = Date.now() / 1000 + 60;
  utimesSync(join(root, path), later, later);
}

test('build --if-stale: builds the first time, then only after a source changed, and prints that it does', async () => {
  installCompiler();
  expect((await build('--if-stale')).stderr).toBe('');
  expect((await build('--if-stale')).stderr).toBe('');
  expect(runs()).toBe(1);
  pull('protocol/version.ts');
  expect((await build('--if-stale')).stderr).toBe('tapbench: sources are newer than dist/, building\n');
  expect(runs()).toBe(2);
});

test('build: without --if-stale it always builds', async () => {
  installCompiler();
  await build();
  await build();
  expect(runs()).toBe(2);
});

test('build --if-stale: before npm ci it prints what to do', async () => {
  await expect(build('--if-stale')).rejects.toMatchObject({
    code: 1,
    stderr: 'tapbench: dist/ is not built, and the compiler is not installed: run `npm ci` first\n',
  });
});

test('build --if-stale: keeps the build when the compiler was removed after it', async () => {
  installCompiler();
  await build();
  rmSync(join(root, 'node_modules'), { recursive: true });
  pull('protocol/version.ts');
  expect((await build('--if-stale')).stderr).toBe('');
});

test('package.json: npm start and prepare build only when stale, npm run build always', () => {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts).toMatchObject({
    prepare: 'node scripts/build.mjs --if-stale',
    start: 'node scripts/start.mjs',
    build: 'node scripts/build.mjs',
  });
});
