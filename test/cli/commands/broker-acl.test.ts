import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readOptions } from '../../../cli/command-line/option.ts';
import { SERVER_OPTIONS } from '../../../cli/server/server-options.ts';
import { ensureDefaultTerminal } from '../../../cli/server/default-terminal.ts';
import { startServer } from '../../../cli/server/start-server.ts';
import { SystemClock } from '../../../protocol/clock.ts';
import { createCliFixture } from '../cli-fixture.ts';

/** The files appear in a moment; a busy machine may take longer. */
const PATIENCE = { timeout: 10_000 };

/** A data folder with a terminal that is paired, one that is not, and a simulator; returns their credentials. */
async function serverFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-acl-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const context = { ...createCliFixture().context, clock: new SystemClock() };
  const options = readOptions(SERVER_OPTIONS, { dataDir: folder }, { LOG_LEVEL: 'silent' });
  const started = await startServer(context, options);
  try {
    const api = started.api();
    const { locationId, made } = await ensureDefaultTerminal(api, started.accounts.platformId, []);
    const other = await api.call('POST /v1/in-person/terminals', {
      body: { serialNumber: '1853012345', locationId },
    });
    const paired = await api.call('POST /pairing/terminals/{id}', { params: { id: made!.id } });
    const simulator = await api.call('POST /pairing/simulators');
    return { folder, paired, simulator, unpairedId: other.id };
  } finally {
    await started.stop();
  }
}

test('broker-acl: lists the server, the local simulator, others that were paired and every paired terminal', async () => {
  const { folder, paired, simulator, unpairedId } = await serverFolder();
  const on = createCliFixture({ DATA_DIR: folder });
  expect(await on.run('broker-acl', 'nats')).toBe(0);
  expect(on.out).toContain('"user":"server"');
  expect(on.out).toContain('"user":"sim_00000000-0000-4000-8000-000000000001"');
  expect(on.out).toContain(`"user":"${paired.username}","password":"${paired.password}"`);
  expect(on.out).toContain(`"user":"${simulator.username}","password":"${simulator.password}"`);
  expect(on.out).not.toContain(unpairedId);
  expect(on.err).toBe('1 terminals are not included: they are not paired yet\n');
});

test('broker-acl: lists the local simulator and every paired terminal of each sandbox', async () => {
  const { folder, paired } = await serverFolder();
  const context = { ...createCliFixture().context, clock: new SystemClock() };
  const started = await startServer(
    context,
    readOptions(SERVER_OPTIONS, { dataDir: folder }, { LOG_LEVEL: 'silent' }),
  );
  await started.api().call('POST /sandboxes', { body: { name: 'ci', from: 'default' } });
  await started.stop();
  const on = createCliFixture({ DATA_DIR: folder });
  expect(await on.run('broker-acl', 'nats')).toBe(0);
  expect(on.out).toContain('"user":"sim_00000000-0000-4000-8000-000000000001@ci"');
  expect(on.out).toContain(`"user":"${paired.username}@ci"`);
  expect(on.out).toContain(`"tapbench.ci.terminals.${paired.username}.reports.presence"`);
  expect(on.out).toContain('tapbench.ci.clock');
});

test('broker-acl: files are readable by their owner only and refer to each other', async () => {
  const { folder, paired } = await serverFolder();
  const out = join(folder, 'acl');
  const on = createCliFixture({ DATA_DIR: folder });
  expect(await on.run('broker-acl', 'mosquitto', '--out', out)).toBe(0);
  expect(readdirSync(out).sort()).toEqual(['tapbench.acl', 'tapbench.conf', 'tapbench.passwords']);
  for (const name of readdirSync(out)) expect(statSync(join(out, name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(out, 'tapbench.conf'), 'utf8')).toContain(
    `password_file ${out}/tapbench.passwords`,
  );
  expect(readFileSync(join(out, 'tapbench.passwords'), 'utf8')).not.toContain(paired.password);
  expect(on.out).toBe('');
});

test('broker-acl: the file that a broker is started with comes last, once those that it refers to are there', async () => {
  const { folder } = await serverFolder();
  const out = join(folder, 'acl');
  mkdirSync(join(out, 'tapbench.passwords'), { recursive: true });
  const on = createCliFixture({ DATA_DIR: folder });
  expect(await on.run('broker-acl', 'mosquitto', '--out', out)).toBe(1);
  expect(on.err).toContain('cannot be written');
  expect(readdirSync(out).sort()).toEqual(['tapbench.acl', 'tapbench.passwords']);
});

test('broker-acl --watch: writes the files again when a terminal is paired', async () => {
  const { folder, paired } = await serverFolder();
  const out = join(folder, 'acl');
  const users = () => readFileSync(join(out, 'tapbench.conf'), 'utf8');
  const on = createCliFixture({ DATA_DIR: folder });
  const ended = on.run('broker-acl', 'nats', '--out', out, '--watch');
  await vi.waitFor(() => expect(users()).toContain(paired.password), PATIENCE);

  const context = { ...createCliFixture().context, clock: new SystemClock() };
  const options = readOptions(SERVER_OPTIONS, { dataDir: folder }, { LOG_LEVEL: 'silent' });
  const started = await startServer(context, options);
  const again = await started.api().call('POST /pairing/terminals/{id}', {
    params: { id: paired.username },
  });
  await started.stop();
  await vi.waitFor(() => expect(users()).toContain(again.password), PATIENCE);
  expect(users()).not.toContain(paired.password);
  on.interrupt();
  expect(await ended).toBe(0);
});

test('broker-acl --watch: needs a folder to write to', async () => {
  const { folder } = await serverFolder();
  const on = createCliFixture({ DATA_DIR: folder });
  expect(await on.run('broker-acl', 'nats', '--watch')).toBe(1);
  expect(on.err).toContain('--watch needs --out');
});

test('broker-acl: the server user comes from MQTT_URL', async () => {
  const { folder } = await serverFolder();
  const on = createCliFixture({ DATA_DIR: folder, MQTT_URL: 'mqtt://backend:open%20sesame@broker' });
  expect(await on.run('broker-acl', 'nats')).toBe(0);
  expect(on.out).toContain('"user":"backend","password":"open sesame"');
});

test('broker-acl: each further server instance has its own user and password', async () => {
  const { folder } = await serverFolder();
  const on = createCliFixture({ DATA_DIR: folder });
  expect(await on.run('broker-acl', 'nats', '--instances', '3')).toBe(0);
  const servers = [...on.out.matchAll(/"user":"(server[^"]*)","password":"([^"]+)"/g)];
  expect(servers.map(([, username]) => username)).toEqual(['server', 'server-2', 'server-3']);
  expect(new Set(servers.map(([, , password]) => password)).size).toBe(3);
});

test.each([
  [['broker-acl', 'ibm'], {}, 'BROKER must be one of: mosquitto, nats, rabbitmq'],
  [
    ['broker-acl', 'nats'],
    { DATA_DIR: '/nonexistent' },
    'PAIRING_SECRET is not set and /nonexistent/keys.json has none',
  ],
  [
    ['broker-acl', 'nats'],
    { DATA_DIR: '/nonexistent', PAIRING_SECRET: 'x'.repeat(32) },
    'DATA_DIR /nonexistent has no store: start the server once first',
  ],
])('broker-acl: %j with %j exits with 1 and a reason', async (argv, env, words) => {
  const on = createCliFixture(env);
  expect(await on.run(...argv)).toBe(1);
  expect(on.err).toBe(`tapbench: ${words}\n`);
});
