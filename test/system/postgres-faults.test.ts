import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSystemFixture } from './system-fixture.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

const fixture = createSystemFixture();
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(async () => {
  await fixture.cleanUp();
  await server.stop();
});

test('faults on PostgreSQL: a reply is lost over a real connection, the plan tells of it, and a restart keeps both', async () => {
  const tapbench = await fixture.tapbench({ env: { DATABASE_URL: await server.freshDatabase() } });
  const operation = 'POST /v1/customers';
  const faults = [{ at: 'api.reply', what: 'reset', when: { operation, times: 2 } }];
  const { id } = (await tapbench.api('POST', '/sandbox/faults', { faults })).body;
  const create = (name: string) => tapbench.api('POST', '/v1/customers', { email: `${name}@corner.example` });
  await expect(create('ana')).rejects.toThrow('socket hang up');
  const customers = async () => (await tapbench.api('GET', '/v1/customers')).body.items.length;
  expect(await customers()).toBe(1);
  await tapbench.kill('SIGTERM');
  await tapbench.restart();
  await expect(create('bo')).rejects.toThrow('socket hang up');
  expect((await create('cy')).status).toBe(200);
  expect((await tapbench.api('GET', `/sandbox/faults/${id}`)).body).toMatchObject({
    status: 'Ended',
    struck: 2,
    strikes: [{ occurrence: 1 }, { occurrence: 2 }],
  });
  expect((await tapbench.api('DELETE', `/sandbox/faults/${id}`)).status).toBe(200);
  expect((await tapbench.api('GET', '/sandbox/faults')).body.items).toEqual([]);
});
