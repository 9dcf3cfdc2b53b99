import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCliFixture } from '../cli-fixture.ts';

const KEYS = { secretKey: 'sk_sandbox_a', publicKey: 'pk_sandbox_a' };

/** A data folder with keys, and with those of the sandbox `ci`. */
function dataFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'tapbench-keys-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  writeFileSync(
    join(dataDir, 'keys.json'),
    JSON.stringify({ ...KEYS, pairingSecret: 'p', dashboardToken: 'd' }),
  );
  mkdirSync(join(dataDir, 'sandboxes/ci'), { recursive: true });
  writeFileSync(
    join(dataDir, 'sandboxes/ci/keys.json'),
    JSON.stringify({ secretKey: 'sk_sandbox_ci', publicKey: 'pk_sandbox_ci' }),
  );
  return dataDir;
}

test('keys: prints both API keys, without a call and without other secrets', async () => {
  const on = createCliFixture({ DATA_DIR: dataFolder() });
  expect(await on.run('keys')).toBe(0);
  expect(on.out).toBe('Secret key  sk_sandbox_a\nPublic key  pk_sandbox_a\n');
  expect(on.requests).toEqual([]);
});

test('keys: prints one key alone, for a script', async () => {
  const on = createCliFixture({ DATA_DIR: dataFolder() });
  expect(await on.run('keys', 'secretKey')).toBe(0);
  expect(on.out).toBe('sk_sandbox_a\n');
});

test('keys: prints JSON', async () => {
  const on = createCliFixture({ DATA_DIR: dataFolder() });
  expect(await on.run('keys', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toEqual(KEYS);
});

test('keys --sandbox: prints those of another sandbox', async () => {
  const on = createCliFixture({ DATA_DIR: dataFolder() });
  expect(await on.run('keys', 'publicKey', '--sandbox', 'ci')).toBe(0);
  expect(on.out).toBe('pk_sandbox_ci\n');
});

test('keys: a folder without keys, and an unknown key, are refused', async () => {
  const on = createCliFixture({ DATA_DIR: join(tmpdir(), 'tapbench-no-such-folder') });
  expect(await on.run('keys')).toBe(1);
  expect(on.err).toMatch(/keys\.json has no keys: set DATA_DIR to the server's data folder\n$/);
  expect(await on.run('keys', 'pairingSecret')).toBe(1);
  expect(on.err).toContain("NAME must be one of: secretKey, publicKey, not 'pairingSecret'\n");
});
