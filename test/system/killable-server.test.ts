import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callerOf, type Tapbench } from './tapbench.ts';
import { createSystemFixture } from './system-fixture.ts';
import { waitFor } from './wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const SHOP = join(import.meta.dirname, '../../examples/shop/right/shop.js');
const commit = (what: string, nth = 1) => ({ faults: [{ at: 'server.commit', what, when: { nth } }] });

/** Puts a plan that kills the server at its next transaction, creates a customer, and starts the server again. */
async function killAtCommit(tapbench: Tapbench, api: Tapbench['api'], what: string) {
  const { status, body: plan } = await api('POST', '/sandbox/faults', commit(what));
  expect(status).toBe(200);
  await expect(api('POST', '/v1/customers', { email: 'ana@corner.example' })).rejects.toThrow(
    /ECONNRESET|socket hang up|terminated/,
  );
  expect((await tapbench.child.ended).signal).toBe('SIGKILL');
  await tapbench.restart();
  return (await api('GET', `/sandbox/faults/${plan.id}`)).body;
}

test('up --killable: a fault kills the process by SIGKILL, and what it had committed is there afterwards', async () => {
  const tapbench = await fixture.tapbench({ args: ['--killable'] });
  const customers = async () => (await tapbench.api('GET', '/v1/customers')).body.items.length;
  expect(await killAtCommit(tapbench, tapbench.api, 'kill-before')).toMatchObject({
    struck: 1,
    status: 'Ended',
  });
  expect(await customers()).toBe(0);
  expect(await killAtCommit(tapbench, tapbench.api, 'kill-after')).toMatchObject({ struck: 1 });
  expect(await customers()).toBe(1);
});

test('up --killable: a plan of any sandbox kills the process', async () => {
  const tapbench = await fixture.tapbench({ args: ['--killable'] });
  const { body: sandbox } = await tapbench.api('POST', '/sandboxes', { name: 'other' });
  const api = callerOf({ url: tapbench.url, secretKey: sandbox.secretKey });
  expect(await killAtCommit(tapbench, api, 'kill-after')).toMatchObject({ struck: 1 });
  expect((await api('GET', '/v1/customers')).body.items).toHaveLength(1);
});

test('up --killable: the right shop of the examples loses no money at a server that is killed during the payment', async () => {
  const tapbench = await fixture.tapbench({ args: ['--killable'] });
  const env = {
    TAPBENCH_URL: tapbench.url,
    TAPBENCH_KEY: tapbench.secretKey,
    TAPBENCH_PORT: '0',
    TAPBENCH_STORE: join(fixture.folder(), 'shop.db'),
    TAPBENCH_SPEED: '20',
  };
  const shop = fixture.program(process.execPath, [SHOP], { env });
  const [, till] = await shop.prints(/^The till is at (\S+)\/$/m);
  await tapbench.api('POST', `/sandbox/terminals/${tapbench.terminals[0]!.id}/cardholder`, { script: 'tap' });
  await tapbench.api('POST', '/sandbox/faults', commit('kill-after', 3));
  const order = { orderId: 'order-1', amount: 1742 };
  await fetch(`${till}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  expect((await tapbench.child.ended).signal).toBe('SIGKILL');
  await tapbench.restart();
  const statusOf = async () => (await (await fetch(`${till}/orders/order-1`)).json()) as { status: string };
  const { status } = await waitFor('the end of the order', async () => {
    const seen = await statusOf();
    return seen.status === 'paying' ? undefined : seen;
  });
  const { items } = (await tapbench.api('GET', '/v1/payment-sessions')).body;
  const captured = items.filter((session: { status: string }) => session.status === 'Captured');
  expect(captured).toHaveLength(status === 'paid' ? 1 : 0);
  expect(items).toHaveLength(1);
});

test('up: without --killable such a plan is refused, and --killable without a store is', async () => {
  const tapbench = await fixture.tapbench();
  const { status, body } = await tapbench.api('POST', '/sandbox/faults', commit('kill-before'));
  expect([status, body.errors[0].message]).toEqual([409, expect.stringContaining('--killable')]);
  const { code, stderr } = await fixture.run(['up', '--killable', '--ephemeral']);
  expect(code).toBe(1);
  expect(stderr).toContain('--killable needs data that outlives the process');
});
