import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hunt, type HuntOptions, type HuntWorldOptions } from '../../testing/hunt/hunt.ts';
import { hostingServer } from '../server/sandboxes/hosting-server.ts';

/** A shop that sends a sale again where it hears nothing, and trusts the key of the request to make it once. */
const trustsItsKey: HuntOptions = {
  async prepare(world) {
    await world.api.post('/v1/customers', { email: 'ana@corner.example' });
  },
  async scenario({ world, fetch, sleep }) {
    const headers = {
      authorization: world.secretKey,
      'content-type': 'application/json',
      'idempotency-key': 'sale order-1',
    };
    const body = JSON.stringify({ amount: 1742, currency: 'GBP', metadata: { orderId: 'order-1' } });
    const send = () => fetch(`${world.url}/v1/payment-sessions`, { method: 'POST', headers, body });
    while (!(await send().catch(() => undefined))?.ok) await sleep(1_000);
  },
  verdicts: [
    ({ payments }) => (payments.length > 1 ? `the order has ${payments.length} sessions` : undefined),
  ],
};

test('hunt: finds a shop that an idempotency key alone makes right, since the service has none', async () => {
  const { found } = await hunt(trustsItsKey);
  expect(found?.verdict).toBe('the order has 2 sessions');
});

test('hunt: its sandbox takes idempotency keys where its options ask for them', async () => {
  const { found, plans } = await hunt({
    ...trustsItsKey,
    world: { strict: 'off', idempotencyKeys: 'on' },
    plans: 60,
  });
  expect([found, plans]).toEqual([undefined, 61]);
});

test('hunt: its sandbox has the settings of its options, and nothing beyond the specification without them', async () => {
  const settingsOf = async (world: HuntWorldOptions) => {
    const totals: unknown[] = [];
    let status = '';
    await hunt({
      world,
      plans: 1,
      async prepare({ api }) {
        const path = '/v1/conversions/rate?sellCurrency=EUR&sellAmount=1000&buyCurrency=GBP';
        totals.push((await api.get(path)).body.fees?.total);
      },
      async scenario({ world: { api } }) {
        const session = { amount: 10_905, currency: 'GBP', customerEmail: 'ana@corner.example' };
        const { body } = await api.post('/v1/payment-sessions', {
          ...session,
          returnUrl: 'https://a.example',
        });
        const cardDetails = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };
        const { clientSecret } = body;
        const paid = await api.post('/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails });
        status ||= paid.body.status;
      },
    });
    return { totals, status };
  };
  expect(await settingsOf({})).toEqual({ totals: [undefined], status: 'Captured' });
  expect(await settingsOf({ strict: 'off', magicAmounts: 'on' })).toEqual({
    totals: [expect.any(Number)],
    status: 'PendingPayment',
  });
});

test('hunt: names an option of its sandbox that is unknown, and one that the strict sandbox contradicts', async () => {
  const message = (world: object) =>
    hunt({ ...trustsItsKey, world }).then(
      () => 'none',
      (thrown: Error) => thrown.message,
    );
  expect(await message({ stricts: 'on' })).toContain('hunt: world: stricts');
  expect(await message({ idempotencyKeys: 'on' })).toBe(
    "hunt: world: idempotencyKeys 'on' needs strict 'off': the service has no such keys",
  );
});

test('hunt: begins with a sandbox that was saved', async () => {
  const host = await hostingServer();
  await host.call('POST /v1/customers', { body: { email: 'sam@example.com' } });
  const { body } = await host.call('POST /sandboxes/default/snapshots');
  const { raw } = await host.call(`GET /sandboxes/default/snapshots/${body.id}`);
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-hunt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const from = join(folder, 'default.snapshot');
  writeFileSync(from, raw);
  let emails: string[] | undefined;
  await hunt({
    world: { from },
    plans: 1,
    async scenario({ world, fetch }) {
      const { body: list } = await world.api.get('/v1/customers');
      emails ??= list.items.map(({ email }: { email: string }) => email);
      await fetch(`${world.url}/v1/customers`, { headers: { authorization: world.secretKey } });
    },
  });
  expect(emails).toEqual(['sam@example.com']);
});
