import { afterEach, expect, test } from 'vitest';
import { MAIN } from '../kit/child-command.ts';
import { call } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

const SERVER = `exec "${process.execPath}" "${MAIN}" server --ephemeral --json`;
const env = { PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'debug' };

test.each([
  ['JSON', 'json'],
  ['text', 'text'],
])('a server whose log of %s cannot be written goes on', async (_, LOG_FORMAT) => {
  // Every write to this device fails as on a full disk.
  const child = fixture.program('sh', ['-c', `${SERVER} 2>/dev/full`], { env: { ...env, LOG_FORMAT } });
  const [line] = await child.prints(/^\{.*\}$/m);
  const { url } = JSON.parse(line) as { url: string };
  for (const path of ['/healthz', '/v1/customers', '/nothing'])
    expect((await call({ method: 'GET', url: url + path })).status).toBeLessThan(500);
  expect(await child.kill('SIGINT')).toMatchObject({ code: 0 });
});

test('a command whose result cannot be written has failed', async () => {
  const help = `exec "${process.execPath}" "${MAIN}" --help >/dev/full`;
  const { code, stderr } = await fixture.program('sh', ['-c', help]).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^tapbench: standard output cannot be written: .*no space left/);
});
