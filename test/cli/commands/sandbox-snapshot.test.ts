import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCliFixture, refusal } from '../cli-fixture.ts';

const SNAPSHOT = { id: 'snap_1', sandbox: 'ci', createdTimestamp: 1, clockTimestamp: 1, bytes: 7 };
const PATH = '/sandboxes/ci/snapshots/snap_1';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-save-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('sandbox save: writes a file for its owner alone, and leaves nothing on the server', async () => {
  const on = createCliFixture();
  const file = join(newFolder(), 'ci.snapshot');
  on.answer('POST /sandboxes/ci/snapshots', { status: 200, body: SNAPSHOT });
  on.answer(`GET ${PATH}`, { status: 200, body: { a: 1 } });
  on.answer(`DELETE ${PATH}`, { status: 200, body: {} });
  expect([await on.run('sandbox', 'save', 'ci', file), on.err]).toEqual([0, '']);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['{"a":1}', 0o600]);
  expect(on.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'DELETE']);
  expect(on.out).toBe(`ci saved in ${file}, 7 bytes\n`);
});

test('sandbox save: writes no file when the server refuses', async () => {
  const on = createCliFixture();
  const file = join(newFolder(), 'ci.snapshot');
  on.answer('POST /sandboxes/ci/snapshots', { status: 200, body: SNAPSHOT });
  on.answer(`GET ${PATH}`, refusal(503, 'the database cannot be read'));
  on.answer(`DELETE ${PATH}`, { status: 200, body: {} });
  expect([await on.run('sandbox', 'save', 'ci', file), existsSync(file)]).toEqual([1, false]);
  expect(on.err).toContain('the database cannot be read');
});

test('sandbox restore: sends the file with the key of the host, and prints the keys', async () => {
  const on = createCliFixture({ SECRET_KEY: 'sk_sandbox_a', HOST_KEY: 'the-key-of-the-host' });
  const file = join(newFolder(), 'ci.snapshot');
  writeFileSync(file, 'content');
  const created = { name: 'again', secretKey: 'sk_sandbox_new', mqttTopic: 'tapbench/again', terminals: [] };
  on.answer('POST /sandboxes/restore', { status: 200, body: created }, refusal(413, 'it is too large'));
  expect(await on.run('sandbox', 'restore', file, 'again', '--expires', '0', '--no-webhooks')).toBe(0);
  expect(on.requests.at(-1)).toMatchObject({
    path: '/sandboxes/restore?name=again&webhooks=off&expiresInSeconds=0',
    authorization: 'the-key-of-the-host',
  });
  expect(on.out).toContain('sk_sandbox_new');
  expect(await on.run('sandbox', 'restore', file)).toBe(1);
  expect(on.err).toContain('it is too large');
});
