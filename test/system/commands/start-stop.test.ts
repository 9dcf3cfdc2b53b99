import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { waitFor, realTime } from '../kit/wait-for.ts';
import { call } from '../kit/http-call.ts';
import { portOf } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

const ROOT = join(import.meta.dirname, '../../..');
const FREE = { PORT: '0', MQTT_PORT: '0' };

async function takenPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fixture.onCleanUp(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

/** What `tapbench up` says when it cannot start. */
async function refusal(env: Record<string, string>, args: string[] = []): Promise<string> {
  const folder = fixture.folder();
  const ended = await fixture.run(['up', ...args], {
    env: { ...FREE, DATA_DIR: folder, ...env },
    cwd: folder,
  });
  expect([ended.code, ended.signal, ended.stdout]).toEqual([1, null, '']);
  expect(ended.stderr).toMatch(/^tapbench: [^\n]+\n$/);
  return ended.stderr;
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'server: %s stops it cleanly and frees its ports',
  async (signal) => {
    const tapbench = await fixture.tapbench();
    const ports = { PORT: portOf(tapbench.url), MQTT_PORT: portOf(tapbench.mqttUrl) };
    expect(await tapbench.kill(signal)).toMatchObject({ code: 0, signal: null, stderr: '' });
    // On the same folder and the same ports, which are free again.
    const again = await fixture.tapbench({ dataDir: tapbench.dataDir!, env: ports });
    expect(again).toMatchObject({
      url: tapbench.url,
      terminals: tapbench.terminals,
      secretKey: tapbench.secretKey,
    });
  },
);

test.each([
  ['npm start', 'npm', ['start']],
  ['npx tapbench up', 'npx', ['tapbench', 'up']],
])('%s: SIGTERM to npm stops the server cleanly', async (_line, program, words) => {
  const env = { ...FREE, DATA_DIR: fixture.folder() };
  const npm = fixture.program(program, words, { cwd: ROOT, env });
  await npm.prints(/Ctrl-C stops/);
  const [, url] = (await npm.prints(/API +(\S+)\/v1/)) as unknown as [string, string];
  expect((await call({ method: 'GET', url: `${url}/healthz` })).status).toBe(200);
  // Resolves when the server has ended too, since it shares npm's output.
  await npm.kill('SIGTERM');
  await expect(call({ method: 'GET', url: `${url}/healthz` })).rejects.toThrow('ECONNREFUSED');
  // Only a server that stops cleanly closes its store, and SQLite removes this file then.
  expect(existsSync(join(env.DATA_DIR, 'store.db-wal'))).toBe(false);
});

test('server: stops during a payment and with a receiver that hangs, and continues at the next start', async () => {
  const tapbench = await fixture.tapbench();
  const receiver = await fixture.receiver();
  receiver.reply = () => 'hang';
  const eventTypes = ['Terminal.action_updated', 'PaymentSession.captured'];
  await tapbench.api('POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });
  const path = `/v1/in-person/terminals/${tapbench.terminals[0]!.id}`;
  const amounts = { requested: 1000 };
  const started = await tapbench.api('POST', `${path}/payment`, { amounts, currency: 'GBP' });
  await waitFor('the first webhook', () => receiver.deliveries.length > 0);

  const stopMs = realTime.nowMs();
  expect(await tapbench.kill('SIGINT')).toMatchObject({ code: 0, stderr: '' });
  expect(realTime.nowMs() - stopMs).toBeLessThan(5000);

  receiver.reply = () => 200;
  await tapbench.restart();
  await waitFor('the captured payment', () => receiver.types().includes('PaymentSession.captured'));
  const { body } = await tapbench.api('GET', path);
  expect(body.action).toMatchObject({ id: started.body.action.id, status: 'Succeeded' });
});

test('server: refuses calls over the rate limit once it listens', async () => {
  const tapbench = await fixture.tapbench({ env: { RATE_LIMIT: 'on' } });
  const calls = Array.from({ length: 50 }, () => tapbench.api('GET', '/v1/customers'));
  const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
  expect([...statuses].toSorted()).toEqual([200, 429]);
});

test('server --ephemeral: stores nothing', async () => {
  const cwd = fixture.folder();
  const first = fixture.command(['up', '--json', '--ephemeral'], { env: FREE, cwd });
  const [line] = await first.prints(/^\{.*\}$/m);
  expect(JSON.parse(line)).toMatchObject({ dataDir: null, terminals: [{ serialNumber: 'SIM-0001' }] });
  expect(await first.kill('SIGINT')).toMatchObject({ code: 0 });
  const second = fixture.command(['up', '--json', '--ephemeral'], { env: FREE, cwd });
  const [other] = await second.prints(/^\{.*\}$/m);
  expect(JSON.parse(other).secretKey).not.toBe(JSON.parse(line).secretKey);
  expect(readdirSync(cwd)).toEqual([]);
});

test('server: a port in use is named with its setting', async () => {
  const port = await takenPort();
  expect(await refusal({ PORT: port })).toContain(`PORT: port ${port} is in use`);
  expect(await refusal({ MQTT_PORT: port })).toContain(`MQTT_PORT: port ${port} is in use`);
});

test.each([
  [{ PORT: 'eighty' }, /^tapbench: PORT must be a whole number/],
  [{ MQTT_PORT: '70000' }, /^tapbench: MQTT_PORT must be a whole number/],
  [{ HOST: '203.0.113.7' }, /HOST/],
  [{ HOST: 'no such host' }, /HOST/],
  [{ LOG_LEVEL: 'loud' }, /^tapbench: LOG_LEVEL must be one of/],
  [{ RATE_LIMIT: 'maybe' }, /^tapbench: RATE_LIMIT must be one of/],
  [{ SECRET_KEY: 'hunter2' }, /^tapbench: SECRET_KEY must begin with(?!.*hunter2)/],
  [{ PUBLIC_KEY: 'pk_live_1' }, /^tapbench: PUBLIC_KEY must begin with/],
  [{ PAIRING_SECRET: 'short' }, /^tapbench: PAIRING_SECRET must be/],
  [{ DATABASE_URL: 'mysql://me:hunter2@127.0.0.1/db' }, /^tapbench: DATABASE_URL must be(?!.*hunter2)/],
  [{ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:9/db' }, /^tapbench: DATABASE_URL(?!.*hunter2)/],
  [{ MQTT_URL: 'http://127.0.0.1' }, /^tapbench: MQTT_URL must be/],
  [{ DATA_DIR: '/proc/tapbench' }, /^tapbench: DATA_DIR \/proc\/tapbench cannot be/],
] as [Record<string, string>, RegExp][])(
  'server: an invalid setting prints one line that names it: %o',
  async (env, line) => {
    expect(await refusal(env)).toMatch(line);
  },
);

test('server: a data folder that is a file, or whose keys cannot be read, is named', async () => {
  const folder = fixture.folder();
  writeFileSync(join(folder, 'file'), '');
  expect(await refusal({ DATA_DIR: join(folder, 'file') })).toMatch(
    /^tapbench: DATA_DIR .*cannot be created: EEXIST: file already exists/,
  );
  writeFileSync(join(folder, 'keys.json'), '{"secretKey":');
  const said = await refusal({ DATA_DIR: folder });
  expect(said).toContain('keys.json');
});

test('command: refuses unknown flags and missing files', async () => {
  const wrong = await fixture.run(['up', '--prot', '1'], { env: FREE, cwd: fixture.folder() });
  expect([wrong.code, wrong.stdout]).toEqual([1, '']);
  expect(wrong.stderr).toMatch(/^tapbench: unknown option '--prot'/);
  expect(await refusal({}, ['--seed', 'nowhere.json'])).toContain('--seed nowhere.json cannot be read');
});

test('server: a second one on the same folder is refused, and the first one continues', async () => {
  const tapbench = await fixture.tapbench();
  expect(await refusal({ DATA_DIR: tapbench.dataDir! })).toMatch(
    /^tapbench: DATA_DIR .* in use by the server at http/,
  );
  expect((await tapbench.api('GET', '/healthz')).status).toBe(200);
  // `kill -9` leaves the lock file; it is the system that lets go of it.
  await tapbench.kill();
  expect(existsSync(join(tapbench.dataDir!, 'server.lock'))).toBe(true);
  await tapbench.restart();
});
