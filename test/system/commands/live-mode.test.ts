import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Child } from '../kit/child-command.ts';
import { call, type Answer } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const KEYS = {
  SECRET_KEY: 'sk_live_4f1c9a7e2b8d4c6f9e3a',
  PUBLIC_KEY: 'pk_live_8b2d6e4a1c9f4b7d8e5c',
  PAIRING_SECRET: 'c2a7e9d14b6f48a3b5e0d7c81f9263ae45',
};

let folder: string;
let up: Child;
let url: string;
beforeAll(async () => {
  folder = fixture.folder();
  const env = { ...KEYS, PORT: '0', MQTT_PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'trace' };
  up = fixture.command(['up'], { env });
  [, url] = (await up.prints(/API +(\S+)\/v1/)) as unknown as [string, string];
});

const api = (method: string, path: string, body?: object): Promise<Answer> =>
  call({
    method,
    url: url + path,
    headers: { authorization: KEYS.SECRET_KEY },
    ...(body && { body: JSON.stringify(body) }),
  });

test('live mode: the API accepts the live key, and nothing is simulated', async () => {
  expect(await api('GET', '/healthz')).toMatchObject({ status: 200 });
  expect((await api('GET', '/v1/in-person/terminals')).body.items).toEqual([]);
  expect((await api('GET', '/v1/in-person/locations')).body.items).toEqual([]);
});

test.each([
  ['GET', '/sandbox/clock'],
  ['POST', '/sandbox/clock/advance'],
  ['POST', '/sandbox/fleets'],
  ['GET', '/sandbox/terminals'],
  ['GET', '/sandbox/accounts'],
  ['POST', '/pairing/simulators'],
  ['GET', '/sandbox/deliveries'],
  ['GET', '/sandbox/webhooks'],
  ['POST', '/sandbox/deliveries/ev_1.wh_1/send'],
])('live mode: %s %s is not found', async (method, path) => {
  expect(await api(method, path, {})).toMatchObject({
    status: 404,
    body: { errors: [{ code: 'not_found', message: `there is nothing at ${path}` }] },
  });
});

test.each([
  'http://shop.example/webhooks',
  'https://127.0.0.1/webhooks',
  'https://127.1/webhooks',
  'https://localhost/webhooks',
  'https://10.1.2.3/webhooks',
  'https://169.254.169.254/latest/meta-data',
  'https://192.168.1.1:8443/',
  'https://0x7f000001/',
  'https://[::1]/webhooks',
  'https://[::ffff:127.0.0.1]/',
  'https://[fd00::1]/',
])('live mode: a webhook at %s is refused', async (target) => {
  const eventTypes = ['PaymentSession.captured'];
  expect(await api('POST', '/v1/webhooks', { url: target, active: true, eventTypes })).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'invalid_field', message: expect.stringMatching(/^url /) }] },
  });
});

test('live mode: tapbench open prints the link that the server does not print', async () => {
  const { code, stdout } = await fixture.run(['open'], { env: { TAPBENCH_URL: url, DATA_DIR: folder } });
  const { dashboardToken } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as Record<
    string,
    string
  >;
  expect([code, stdout]).toEqual([0, `${url}/#token=${dashboardToken}\n`]);
});

test('live mode: no key is printed, logged or stored, and no dashboard token printed or logged', async () => {
  const { stdout, stderr } = await up.kill('SIGINT');
  expect(stdout + stderr).not.toContain('dash_');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  const kept = files.map((path) => readFileSync(path, 'latin1')).join('');
  expect(kept).toContain('SQLite format 3');
  for (const secret of Object.values(KEYS)) expect([stdout, stderr, kept].join('')).not.toContain(secret);
});
