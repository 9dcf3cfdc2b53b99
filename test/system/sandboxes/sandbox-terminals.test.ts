import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

test('sim --sandbox: its terminals connect by MQTT over WebSocket under the path of the sandbox', async () => {
  const dataDir = fixture.folder();
  const server = await fixture.tapbench({ command: 'server', dataDir });
  expect((await server.api('POST', '/sandboxes', { name: 'ci' })).status).toBe(200);
  const env = { TAPBENCH_URL: server.url, DATA_DIR: dataDir };
  const sim = fixture.command(['sim', '--sandbox', 'ci', '--terminals', '2', '--json'], { env });
  const [line] = await sim.prints(/^\{.*\}$/m);
  expect(JSON.parse(line).terminals).toHaveLength(2);
  expect(await sim.kill('SIGINT')).toMatchObject({ code: 0 });
});

test('server: does not start with deploy/example.env as it is', async () => {
  const example = readFileSync(join(import.meta.dirname, '../../../deploy/example.env'), 'utf8');
  const env = Object.fromEntries(
    example.split('\n').flatMap((line) => (/^[A-Z_]+=/.test(line) ? [line.split(/=(.*)/).slice(0, 2)] : [])),
  ) as Record<string, string>;
  const { code, stderr } = await fixture.run(['server'], {
    env: { ...env, DATA_DIR: fixture.folder(), PORT: '0', MQTT_PORT: '0' },
  });
  expect(code).toBe(1);
  expect(stderr).toContain('SECRET_KEY is the value of deploy/example.env');
});
