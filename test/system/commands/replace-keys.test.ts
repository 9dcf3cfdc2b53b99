import { afterAll, expect, test } from 'vitest';
import { call } from '../kit/http-call.ts';
import { startPostgres } from '../stores/postgres-server.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

test('server --replace-keys: is refused while another server runs on the database, and replaces them afterwards', async () => {
  const postgres = await startPostgres();
  fixture.onCleanUp(() => postgres.stop());
  const env = { DATABASE_URL: postgres.url };
  const first = await fixture.tapbench({ command: 'server', env });
  const dataDir = fixture.folder();

  const refused = await fixture.run(['server', '--replace-keys'], {
    env: { ...env, DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0' },
  });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('--replace-keys: another server runs on DATABASE_URL');
  expect((await first.api('GET', '/v1/customers')).status).toBe(200);

  await first.kill('SIGINT');
  const replaced = await fixture.tapbench({ command: 'server', dataDir, args: ['--replace-keys'], env });
  expect(replaced.secretKey).not.toBe(first.secretKey);
  expect((await replaced.api('GET', '/v1/customers')).status).toBe(200);
  const headers = { authorization: first.secretKey };
  expect((await call({ method: 'GET', url: `${replaced.url}/v1/customers`, headers })).status).toBe(403);
});
