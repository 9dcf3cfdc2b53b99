import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readKeys, createDataFolder, resolveKeys } from '../../../cli/data-folder/data-folder.ts';
import { createIds, seededRandom } from '../../../protocol/ids.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

const NOTHING = {
  secretKey: undefined,
  publicKey: undefined,
  pairingSecret: undefined,
  dashboardToken: undefined,
};
const LIVE = { ...NOTHING, secretKey: 'sk_live_a', publicKey: 'pk_live_a' };
const idsOf = (seed: string) => createIds(new VirtualClock(0), seededRandom(seed));

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'tapbench-keys-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('resolveKeys: generates sandbox keys at the first start and reads them at the second', () => {
  const first = resolveKeys(NOTHING, folder, idsOf('one'));
  expect(first.mode).toBe('sandbox');
  expect(first.keys.secretKey).toMatch(/^sk_sandbox_.{40,}$/);
  expect(first.keys.publicKey).toMatch(/^pk_sandbox_.{40,}$/);
  expect(first.keys.pairingSecret.length).toBeGreaterThanOrEqual(40);
  expect(first.keys.dashboardToken).toMatch(/^dash_[\w-]{40,}$/);

  const second = resolveKeys(NOTHING, folder, idsOf('two'));
  expect(second).toEqual(first);
});

test('resolveKeys: keys.json is readable by its owner only', () => {
  resolveKeys(NOTHING, folder, idsOf('one'));
  expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600);
});

test('resolveKeys: uses keys of the environment without writing them, generates and writes the missing ones', () => {
  const given = { ...NOTHING, secretKey: 'sk_sandbox_mine' };
  const { keys } = resolveKeys(given, folder, idsOf('one'));
  expect(keys.secretKey).toBe('sk_sandbox_mine');
  expect(readFileSync(join(folder, 'keys.json'), 'utf8')).not.toContain('sk_sandbox_mine');

  const later = resolveKeys(NOTHING, folder, idsOf('two'));
  expect(later.keys.publicKey).toBe(keys.publicKey);
  expect(later.keys.secretKey).toMatch(/^sk_sandbox_/);
});

test('resolveKeys: takes live keys from the environment only and writes the generated secrets', () => {
  const { keys, mode } = resolveKeys(LIVE, folder, idsOf('one'));
  expect(mode).toBe('live');
  expect(readKeys(folder)).toEqual({
    pairingSecret: keys.pairingSecret,
    dashboardToken: keys.dashboardToken,
  });
  expect(() => resolveKeys({ ...LIVE, publicKey: undefined }, folder, idsOf('two'))).toThrow(
    /^PUBLIC_KEY must be set/,
  );
});

test('resolveKeys: writes nothing without a data folder', () => {
  const first = resolveKeys(NOTHING, undefined, idsOf('one'));
  const second = resolveKeys(NOTHING, undefined, idsOf('two'));
  expect(second.keys).not.toEqual(first.keys);
  expect(existsSync(join(folder, 'keys.json'))).toBe(false);
});

test('resolveKeys: throws a Fault naming DATA_DIR when the folder is not writable', () => {
  const write = () => resolveKeys(NOTHING, join(folder, 'none', 'such'), idsOf('one'));
  expect(write).toThrow(expect.objectContaining({ code: 'data_folder' }));
  expect(write).toThrow(/^DATA_DIR .* cannot be written/);
});

test('createDataFolder: creates the folder and its parents with mode 0700', () => {
  const nested = join(folder, 'a', 'b');
  createDataFolder(nested);
  createDataFolder(nested);
  expect(statSync(nested).mode & 0o777).toBe(0o700);
});

test('createDataFolder: throws at once under a file system that takes no folders', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => createDataFolder(join(folder, 'file', 'x'))).toThrow(/^DATA_DIR .* cannot be created/);
  expect(() => createDataFolder('/proc/tapbench')).toThrow(expect.objectContaining({ code: 'data_folder' }));
});

test.each([
  ['{ "secretKey": "sk_sandbox_hidden', 'is not JSON'],
  ['{ "secretKey": 7 }', 'secretKey must be text'],
  ['null', 'not a JSON object'],
])('readKeys: throws for keys.json with %s without quoting it', (text, problem) => {
  writeFileSync(join(folder, 'keys.json'), text);
  expect(() => readKeys(folder)).toThrow(problem);
  expect(() => readKeys(folder)).not.toThrow(/hidden/);
});
