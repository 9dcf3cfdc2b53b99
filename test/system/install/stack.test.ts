import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../kit/free-port.ts';
import { configuration, startWatchedMosquitto } from '../brokers/watched-mosquitto.ts';
import { startPostgres } from '../stores/postgres-server.ts';
import { listening } from '../browser/proxies.ts';
import { runProgram } from '../kit/run-program.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { callerOf, portOf } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const KEYS = {
  SECRET_KEY: 'sk_sandbox_of_the_stack_of_a_system_test',
  PUBLIC_KEY: 'pk_sandbox_of_the_stack_of_a_system_test',
  PAIRING_SECRET: 'pairing-secret-of-the-stack-of-a-system-test',
  DASHBOARD_TOKEN: 'dash_of_the_stack_of_a_system_test_0123456789',
};

async function startBalancer(servers: { url: string }[]): Promise<string> {
  const port = await freePort();
  const settings = join(fixture.folder(), 'haproxy.cfg');
  const [first, second] = servers.map(({ url }) => `127.0.0.1:${portOf(url)}`);
  const changes = {
    'bind :8000': `bind 127.0.0.1:${port}`,
    'tapbench:8080': first!,
    'tapbench-2:8080': second!,
  };
  writeFileSync(settings, configuration('haproxy/haproxy.cfg', changes));
  fixture.program('/usr/sbin/haproxy', ['-db', '-f', settings]);
  await waitFor('HAProxy to listen', () => listening(port));
  return `http://127.0.0.1:${port}`;
}

test('stack: two servers behind HAProxy, on one PostgreSQL and one mosquitto, take payments; one may end', async () => {
  const postgres = await startPostgres();
  fixture.onCleanUp(() => postgres.stop());
  const shared = { ...KEYS, DATABASE_URL: postgres.url };
  const broker = await startWatchedMosquitto(fixture, shared);
  const env = { ...shared, MQTT_PORT: '1883' };
  const first = await fixture.tapbench({ env: { ...env, MQTT_URL: `mqtt://${broker}` } });
  const second = await fixture.tapbench({
    command: 'server',
    env: { ...env, MQTT_URL: `mqtt://server-2@${broker}` },
  });
  const url = await startBalancer([first, second]);
  const api = callerOf({ url, secretKey: KEYS.SECRET_KEY });

  const terminal = `/v1/in-person/terminals/${first.terminals[0]!.id}`;
  const servers = new Set<string>();
  const pay = async () => {
    const body = { amounts: { requested: 1742 }, currency: 'GBP' };
    const { status, headers } = await api('POST', `${terminal}/payment`, body);
    expect(status).toBe(200);
    servers.add(/SERVER=(\w+)/.exec(String(headers['set-cookie']))![1]!);
    await waitFor('the payment to succeed', async () => {
      const { action } = (await api('GET', terminal)).body;
      expect(action.status).toMatch(/InProgress|Succeeded/);
      return action.status === 'Succeeded';
    });
  };
  await waitFor('payments at both servers', async () => {
    await pay();
    return servers.size === 2;
  });

  await second.kill('SIGKILL');
  await waitFor('HAProxy to leave out the second server', async () => {
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await api('GET', terminal)).status));
    return statuses.every((status) => status === 200);
  });
  servers.clear();
  await pay();
  expect([...servers]).toEqual(['one']);
}, 240_000);

test('stack: compose accepts the file, with the settings of example.env', async () => {
  const folder = join(fixture.folder(), 'deploy');
  mkdirSync(folder);
  cpSync(join(DEPLOY, 'compose.yaml'), join(folder, 'compose.yaml'));
  const words = ['--file', join(folder, 'compose.yaml'), '--profile', 'two', 'config', '--services'];
  const options = ['--env-file', join(folder, '.env')];
  // Without its settings it says which are missing.
  writeFileSync(join(folder, '.env'), '');
  expect((await runProgram('docker-compose', [...options, ...words])).output).toMatch(/POSTGRES_PASSWORD/);
  cpSync(join(DEPLOY, 'example.env'), join(folder, '.env'));
  const { code, output } = await runProgram('docker-compose', [...options, ...words]);
  expect({ code, services: output.trim().split('\n').toSorted() }).toEqual({
    code: 0,
    services: ['broker-users', 'haproxy', 'mosquitto', 'postgres', 'tapbench', 'tapbench-2'],
  });
});

test('stack: HAProxy accepts its configuration', async () => {
  const file = join(DEPLOY, 'haproxy/haproxy.cfg');
  const { code, output } = await runProgram('/usr/sbin/haproxy', ['-c', '-f', file]);
  expect({ code, ...(code !== 0 && { output }) }).toEqual({ code: 0 });
});
