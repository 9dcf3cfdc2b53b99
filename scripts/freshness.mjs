// @ts-check
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What dist/ is made of: folders, which count with all that is in them, and files. */
export const SOURCES = [
  'protocol',
  'agent',
  'simulator',
  'server',
  'world',
  'cli',
  'testing',
  'test/kit',
  'bench',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

const STAMP = 'dist/.built';

/** File systems may round a modification time down, by at most two seconds (FAT). */
const CLOCK_STEP_MS = 2_000;

/**
 * Whether a source was changed, added or removed since the last complete build. Compares modification times, which a
 * `git pull` sets for each file that it writes and each folder that it adds to or removes from.
 * @param {string} root the project
 * @param {string[]} sources from the root
 */
export function isStale(root, sources = SOURCES) {
  const builtMs = modifiedMs(join(root, STAMP));
  return builtMs === undefined || sources.some((source) => newestMs(join(root, source)) > builtMs);
}

/**
 * Marks dist/ as being built. Returns what marks it as complete, and removes what earlier builds left there. A source
 * that changes meanwhile makes it stale again.
 * @param {string} root the project
 * @param {number} nowMs
 */
export function beginBuild(root, nowMs) {
  rmSync(join(root, STAMP), { force: true });
  return () => {
    removeOlder(join(root, 'dist'), nowMs - CLOCK_STEP_MS);
    const seconds = nowMs / 1000;
    writeFileSync(join(root, STAMP), '');
    utimesSync(join(root, STAMP), seconds, seconds);
  };
}

/**
 * @param {string} folder
 * @param {number} ms since the epoch
 */
function removeOlder(folder, ms) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOlder(path, ms);
    else if (statSync(path).mtimeMs < ms) rmSync(path);
  }
}

/** @param {string} path */
function modifiedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * The latest modification of a file, or of a folder and all that is in it.
 * @param {string} path
 * @returns {number} milliseconds since the epoch; 0 when there is no such file
 */
function newestMs(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path).reduce(
    (newest, name) => Math.max(newest, newestMs(join(path, name))),
    stats.mtimeMs,
  );
}
