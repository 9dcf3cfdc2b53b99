import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginBuild, isStale, SOURCES } from '../../scripts/freshness.mjs';

const BEFORE_MS = 1_700_000_000_000;
const BUILT_MS = BEFORE_MS + 60_000;
const LATER_MS = BUILT_MS + 60_000;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapbench-freshness-'));
  mkdirSync(join(root, 'server/platform/http'), { recursive: true });
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'server/platform/http/route.ts'), '');
  touch(BEFORE_MS, 'server/platform/http/route.ts', 'server/platform/http', 'server/platform', 'server');
});
afterEach(() => rmSync(root, { recursive: true }));

function touch(ms: number, ...paths: string[]): void {
  for (const path of paths) utimesSync(join(root, path), ms / 1000, ms / 1000);
}

test('isStale: a tree that was never built is stale', () => {
  expect(isStale(root)).toBe(true);
});

test('isStale: a complete build is fresh, whatever changed outside of the sources', () => {
  beginBuild(root, BUILT_MS)();
  writeFileSync(join(root, 'README.md'), '');
  expect(isStale(root)).toBe(false);
});

test('isStale: an unfinished build leaves dist/ stale', () => {
  beginBuild(root, BUILT_MS)();
  beginBuild(root, LATER_MS);
  expect(isStale(root)).toBe(true);
});

test('isStale: a source changed after or during the build makes it stale', () => {
  const complete = beginBuild(root, BUILT_MS);
  touch(BUILT_MS + 1, 'server/platform/http/route.ts');
  complete();
  expect(isStale(root)).toBe(true);
});

test('isStale: a removed source makes it stale', () => {
  beginBuild(root, BUILT_MS)();
  rmSync(join(root, 'server/platform/http/route.ts'));
  expect(isStale(root)).toBe(true);
});

test('freshness: every source of dist/ is in the project', () => {
  const project = join(import.meta.dirname, '../..');
  expect(SOURCES.filter((source) => !existsSync(join(project, source)))).toEqual([]);
});

test('beginBuild: files of an earlier build are removed when the next one is complete', () => {
  for (const file of ['dist/old.js', 'dist/new.js']) writeFileSync(join(root, file), '');
  touch(BEFORE_MS, 'dist/old.js');
  touch(BUILT_MS, 'dist/new.js');
  beginBuild(root, BUILT_MS)();
  expect(readdirSync(join(root, 'dist')).toSorted()).toEqual(['.built', 'new.js']);
});
