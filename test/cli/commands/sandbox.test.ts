import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCliFixture, refusal, terminal } from '../cli-fixture.ts';

const CI = {
  name: 'ci',
  from: null,
  url: 'http://127.0.0.1:8080/s/ci',
  createdTimestamp: 1767603600,
  expiresTimestamp: 1767690000,
  idempotencyKeys: 'off',
  strict: 'off',
};
const CREATED = {
  ...CI,
  secretKey: 'sk_sandbox_ci',
  publicKey: 'pk_sandbox_ci',
  dashboardUrl: 'http://127.0.0.1:8080/s/ci/#token=dash_ci',
  mqttTopic: 'tapbench/ci',
  accountId: 'ac_1',
  subAccountId: 'ac_2',
  terminals: [{ id: 'tml_1', serialNumber: 'SIM-0001' }],
};

test('sandbox: lists the sandboxes, with when they expire', async () => {
  const on = createCliFixture();
  const items = [
    { ...CI, name: 'default', expiresTimestamp: null },
    { ...CI, from: 'default', strict: 'on' },
  ];
  on.answer('GET /sandboxes', { status: 200, body: { items } });
  expect(await on.run('sandbox')).toBe(0);
  expect(on.out.split('\n').map((line) => line.split(/  +/).slice(0, 4))).toEqual([
    ['NAME', 'FORK OF', 'EXPIRES', 'SETTINGS'],
    ['default', '-', 'never', 'idempotency keys off'],
    ['ci', 'default', '2026-01-06T09:00', 'strict'],
    [''],
  ]);
});

test('sandbox create: prints the keys, the link and the terminals', async () => {
  const on = createCliFixture();
  on.answer('POST /sandboxes', { status: 200, body: CREATED });
  expect(await on.run('sandbox', 'create', 'ci', '--expires', '0', '--seed', 'a')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ name: 'ci', seed: 'a', expiresInSeconds: null });
  for (const text of ['sk_sandbox_ci', 'pk_sandbox_ci', CREATED.dashboardUrl, 'tml_1  SIM-0001'])
    expect(on.out).toContain(text);
});

test('sandbox create: sends the time at which it begins, typed as a date', async () => {
  const on = createCliFixture();
  on.answer('POST /sandboxes', { status: 200, body: CREATED });
  expect(await on.run('sandbox', 'create', '--clock', '2026-01-05T09:00:00Z')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ clock: 1767603600 });
});

test('sandbox create: a time that is too short is refused before the call', async () => {
  const on = createCliFixture();
  expect(await on.run('sandbox', 'create', '--expires', '59')).toBe(1);
  expect([on.err, on.requests]).toEqual(['tapbench: --expires must be 0, or at least 60\n', []]);
});

test('sandbox fork: names the source and the fork', async () => {
  const on = createCliFixture();
  on.answer('POST /sandboxes', { status: 200, body: CREATED });
  expect(await on.run('sandbox', 'fork', 'default', 'ci', '--json')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ from: 'default', name: 'ci' });
  expect(JSON.parse(on.out)).toEqual(CREATED);
});

test('sandbox fork: sends each of its options', async () => {
  const on = createCliFixture();
  on.answer('POST /sandboxes', { status: 200, body: CREATED });
  const options = ['--clock', '1767603600', '--no-webhooks', '--seed', 'a', '--expires', '60'];
  options.push('--idempotency-keys', 'on', '--strict', 'off');
  expect(await on.run('sandbox', 'fork', 'snap_1', 'ci', ...options)).toBe(0);
  const sent = {
    clock: 1767603600,
    webhooks: 'off',
    seed: 'a',
    expiresInSeconds: 60,
    idempotencyKeys: 'on',
    strict: 'off',
  };
  expect(on.requests.at(-1)?.body).toEqual({ from: 'snap_1', name: 'ci', ...sent });
});

test('sandbox update: changes the settings, and refuses to change nothing before the call', async () => {
  const on = createCliFixture();
  on.answer('PATCH /sandboxes/ci', { status: 200, body: { ...CI, strict: 'on' } });
  expect([await on.run('sandbox', 'update', 'ci', '--strict', 'on'), on.out]).toEqual([
    0,
    'ci updated: strict\n',
  ]);
  expect(on.requests.at(-1)?.body).toEqual({ strict: 'on' });
  const sent = on.requests.length;
  expect(await on.run('sandbox', 'update', 'ci')).toBe(1);
  expect([on.err, on.requests.length]).toEqual([
    'tapbench: nothing to change: give --idempotency-keys, --strict or --pace\n',
    sent,
  ]);
});

test('sandbox delete: deletes it, or prints why not', async () => {
  const on = createCliFixture();
  on.answer(
    'DELETE /sandboxes/ci',
    { status: 200, body: { name: 'ci', deleted: true } },
    refusal(404, 'no such sandbox'),
  );
  expect([await on.run('sandbox', 'delete', 'ci'), on.out]).toEqual([0, 'ci deleted\n']);
  expect(await on.run('sandbox', 'delete', 'ci')).toBe(1);
  expect(on.err).toContain('no such sandbox');
});

test('--sandbox: a command uses the address and the key of the sandbox', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tapbench-sandbox-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  mkdirSync(join(dataDir, 'sandboxes/ci'), { recursive: true });
  writeFileSync(join(dataDir, 'sandboxes/ci/keys.json'), JSON.stringify({ secretKey: 'sk_sandbox_of_ci' }));
  const on = createCliFixture();
  on.answer('GET /s/ci/v1/in-person/terminals', {
    status: 200,
    body: { items: [terminal(null)], paginationToken: null },
  });
  on.answer('GET /s/ci/sandbox/terminals', { status: 200, body: { items: [] } });
  expect(await on.run('terminals', '--sandbox', 'ci', '--data-dir', dataDir)).toBe(0);
  expect(new Set(on.requests.map(({ authorization }) => authorization))).toEqual(
    new Set(['sk_sandbox_of_ci']),
  );
});

test.each([
  ['CI', '--sandbox: CI is not the name of a sandbox'],
  ['none', '--sandbox: there is no '],
])('--sandbox: %s is refused', async (name, message) => {
  const on = createCliFixture();
  expect(await on.run('terminals', '--sandbox', name)).toBe(1);
  expect(on.err).toContain(message);
});
