import { afterAll, expect, test } from 'vitest';
import { waitFor } from '../kit/wait-for.ts';
import { startMosquitto } from './mosquitto-server.ts';
import { writtenAcl } from './written-acl.ts';
import { startPostgres } from '../stores/postgres-server.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

test('command: runs on PostgreSQL and mosquitto, with the files that broker-acl wrote', async () => {
  const postgres = await startPostgres();
  fixture.onCleanUp(() => postgres.stop());
  const dataDir = fixture.folder();
  const env = { DATA_DIR: dataDir, DATABASE_URL: postgres.url };

  // Once with its own broker, so that the terminals are there and paired.
  const first = await fixture.tapbench({ dataDir, env });
  const sandbox = (await first.api('POST', '/sandboxes', { name: 'ci' })).body;
  const inSandbox = { authorization: sandbox.secretKey };
  const isOnline = async (on: Tapbench) =>
    (await on.api('GET', `/sandbox/terminals/${sandbox.terminals[0].id}`, undefined, inSandbox)).body
      .online === true;
  await waitFor('the terminal of the sandbox is paired', () => isOnline(first));
  await first.kill('SIGINT');
  const { files, printed } = await writtenAcl(fixture, env);
  expect(printed).toContain('for 5 users');
  const mosquitto = await startMosquitto(files);
  fixture.onCleanUp(() => mosquitto.stop());

  const tapbench = await fixture.tapbench({
    dataDir,
    env: { ...env, MQTT_URL: mosquitto.url, MQTT_PORT: '1883' },
  });
  expect(tapbench).toMatchObject({ mqttUrl: mosquitto.url, terminals: first.terminals });
  const till = `/v1/in-person/terminals/${tapbench.terminals[0]!.id}`;
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  expect((await tapbench.api('POST', `${till}/payment`, body)).status).toBe(200);
  await waitFor('the payment to succeed', async () => {
    const { action } = (await tapbench.api('GET', till)).body;
    return action.status === 'Succeeded';
  });
  await waitFor('the terminal of the sandbox is online at mosquitto', () => isOnline(tapbench));
  const ownTill = `/v1/in-person/terminals/${sandbox.terminals[0].id}`;
  expect((await tapbench.api('POST', `${ownTill}/payment`, body, inSandbox)).status).toBe(200);
  await waitFor('the payment in the sandbox to succeed', async () => {
    const { action } = (await tapbench.api('GET', ownTill, undefined, inSandbox)).body;
    return action.status === 'Succeeded';
  });
  expect(await tapbench.kill('SIGINT')).toMatchObject({ code: 0, stderr: '' });

  // Without its broker it starts as well, says so, and is not ready.
  await mosquitto.stop();
  const alone = fixture.command(['server', '--json'], {
    env: { ...env, PORT: '0', MQTT_URL: mosquitto.url },
  });
  const [line] = await alone.prints(/^\{.*\}$/m);
  const waited = await fixture.run(['wait', '--terminals', '0', '--timeout', '1'], {
    env: { TAPBENCH_URL: JSON.parse(line).url },
  });
  expect(waited).toMatchObject({ code: 1, stderr: expect.stringContaining('/healthz returns 503') });
});
