import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCompileCache } from '../../../cli/process/compile-cache.ts';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'tapbench-cache-'))));
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Loads `main.cjs` as a process does, and saves. From another path each time: V8 keeps what a process has compiled. */
function start(): unknown {
  const moved = mkdtempSync(join(tmpdir(), 'tapbench-cache-'));
  renameSync(root, moved);
  root = moved;
  const cache = createCompileCache(join(root, 'made/when-needed'));
  const loaded = cache.require(join(root, 'main.cjs'));
  cache.save();
  return loaded;
}

const entry = (name: string) => join(root, 'made/when-needed', `${name}.cache`);

/** Changes whenever an entry is written. */
const inode = (name: string) => statSync(entry(name)).ino;

test('compile cache: loads modules as Node does, each once, with packages beside them', () => {
  write(
    'main.cjs',
    "const b = require('./parts/b.cjs'); module.exports = [b.name, b === require('./parts/b.cjs')];",
  );
  write(
    'parts/b.cjs',
    "exports.name = require('package') + require('node:path').basename(__filename) + __dirname.at(-1);",
  );
  write('node_modules/package/index.js', "module.exports = 'a package, ';");
  expect(start()).toEqual(['a package, b.cjss', true]);
  expect(start()).toEqual(['a package, b.cjss', true]);
});

test('compile cache: a module that throws is run again when it is required again', () => {
  write('main.cjs', "let n = 0; module.exports = () => { try { require('./b.cjs') } catch { return ++n } };");
  write('b.cjs', 'exports.half = true; throw new Error();');
  const again = start() as () => number;
  expect([again(), again()]).toEqual([1, 2]);
});

test('compile cache: keeps what was compiled, which the next start uses and does not write again', () => {
  write('main.cjs', "exports.text = '£ äöü 😀';");
  start();
  const written = inode('main.cjs');
  expect(start()).toEqual({ text: '£ äöü 😀' });
  expect(inode('main.cjs')).toBe(written);
  expect(readdirSync(dirname(entry('main.cjs'))).map((path) => basename(path))).toEqual(['main.cjs.cache']);
});

test('compile cache: compiles a module again whose text has changed, although its length has not', () => {
  write('main.cjs', 'exports.value = () => 1;');
  start();
  write('main.cjs', 'exports.value = () => 2;');
  expect((start() as { value(): number }).value()).toBe(2);
  expect((start() as { value(): number }).value()).toBe(2);
});

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  ['half written', (bytes: Buffer) => bytes.fill(0, bytes.length / 2)],
  [
    'of another version of V8',
    (bytes: Buffer, source: string) => withHash(source, bytes.subarray(32).fill(1, 0, 8)),
  ],
])('compile cache: replaces an entry that is %s', (_what, damage) => {
  const source = 'exports.value = () => 1;';
  write('main.cjs', source);
  start();
  writeFileSync(entry('main.cjs'), damage(readFileSync(entry('main.cjs')), source));
  const damaged = inode('main.cjs');
  expect((start() as { value(): number }).value()).toBe(1);
  expect(inode('main.cjs')).not.toBe(damaged);
});

function withHash(source: string, code: Buffer): Buffer {
  return Buffer.concat([createHash('sha256').update(source).update(code).digest(), code]);
}

test('compile cache: a folder that cannot be written is no failure', () => {
  write('main.cjs', 'exports.value = 1;');
  write('made', 'a file where the folder would be');
  expect(start()).toEqual({ value: 1 });
});
