import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import { waitFor } from '../kit/wait-for.ts';

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

test.each(['SQLite', 'PostgreSQL'])(
  'faults on %s: a network that a fault took is back after a restart, in a fork and in a restored snapshot',
  async (engine) => {
    const env: Record<string, string> =
      engine === 'SQLite' ? {} : { DATABASE_URL: await server.freshDatabase() };
    const tapbench = await fixture.tapbench({ env });
    const terminal = tapbench.terminals[0]!.id;
    const call = async (method: string, path: string, body?: unknown, authorization = tapbench.secretKey) => {
      const reply = await tapbench.api(method, path, body, { authorization });
      expect([method, path, reply.status, reply.body.errors]).toEqual([method, path, 200, undefined]);
      return reply.body;
    };
    const isOnline = async (key?: string) =>
      (await call('GET', `/sandbox/terminals/${terminal}`, undefined, key)).online === true;
    await call('POST', `/sandbox/terminals/${terminal}/cardholder`, { script: 'none' });
    const fault = { at: 'terminal.state', what: 'network-down', when: { state: 'awaitingCard' } };
    await call('POST', '/sandbox/faults', { faults: [{ ...fault, delayMs: 30_000 }] });
    await call('POST', `/v1/in-person/terminals/${terminal}/payment`, {
      amounts: { requested: 1742 },
      currency: 'GBP',
    });
    await waitFor('its network is down', async () => !(await isOnline()));

    const fork = await call('POST', '/sandboxes', { name: 'fork', from: 'default' });
    const { id: snapshot } = await call('POST', '/sandboxes/default/snapshots');
    const copy = await call('POST', '/sandboxes', { name: 'copy', from: snapshot });
    expect(await isOnline()).toBe(false);
    await tapbench.kill('SIGTERM');
    await tapbench.restart();
    for (const [name, key] of [
      ['default', tapbench.secretKey],
      ['fork', fork.secretKey],
      ['copy', copy.secretKey],
    ] as const) {
      await waitFor(`the network is back in ${name}`, () => isOnline(key), 60_000);
      const action = async () =>
        (await call('GET', `/v1/in-person/terminals/${terminal}`, undefined, key)).action;
      // A cardholder may tap by now: where the terminal has started again, that is no longer the script 'none'.
      const card = { card: 'visa-contactless' };
      await tapbench.api('POST', `/sandbox/terminals/${terminal}/present-card`, card, { authorization: key });
      await waitFor(`the payment of ${name}`, async () => (await action()).status === 'Succeeded', 30_000);
    }
  },
);
