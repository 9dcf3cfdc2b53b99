import { expect } from 'vitest';
import { race, type Race } from './race.ts';
import { CARD } from './racing-shop.ts';

const FINAL = '400 the payment session can no longer be paid or updated';
const IN_USE = '409 a request with this Idempotency-Key is under way: retry later';
const EMAIL_USED = '409 a customer with this email already exists';

const post = (path: string, body: object) => ({ method: 'POST' as const, path, body });

const attempts = race('attempts against updates of one session', async (shop, count) => {
  const session = await shop.session({ amount: 1_000 });
  const path = `/v1/payment-sessions/${session.id}`;
  const requests = Array.from({ length: count }, (_, nth) =>
    nth % 2 === 0
      ? post('/v1/payment-sessions/attempt-payment', {
          clientSecret: session.clientSecret,
          cardDetails: CARD,
        })
      : { method: 'PATCH' as const, path, body: { amount: 1_000 + 10 * nth } },
  );
  return {
    requests,
    async check(raced) {
      const paid = raced.filter(({ request: { method }, refusal }) => method === 'POST' && !refusal);
      expect(paid.map(({ body }) => body.status)).toEqual(['Captured']);
      const refusals = new Set(raced.flatMap(({ refusal }) => refusal ?? []));
      expect([...refusals]).toEqual([FINAL]);
      const { amount } = paid[0]!.body;
      const updated = raced.filter(({ request: { method }, refusal }) => method === 'PATCH' && !refusal);
      expect([1_000, ...updated.map(({ body }) => body.amount)]).toContain(amount);
      const movements = await shop.all(`${path}/transactions`);
      expect(movements.map((each) => [each.type, each.amount])).toEqual([
        ['Authorization', amount],
        ['Capture', amount],
      ]);
      expect(await shop.good('GET', path)).toMatchObject({ amount, status: 'Captured' });
      const events = await shop.eventsOf(({ id }) => id === session.id);
      expect(events.map(({ type, data }) => [type, data.amount])).toEqual([
        ['PaymentSession.approved', amount],
        ['PaymentSession.captured', amount],
      ]);
    },
  };
});

const oneKey = race('one idempotency key', async (shop, count) => {
  const { id } = await shop.paid({ amount: 50_000 });
  const path = `/v1/payment-sessions/${id}/refunds`;
  const key = `order-${shop.next()}`;
  const request = { ...post(path, { amount: 500 }), headers: { 'idempotency-key': key } };
  return {
    requests: Array.from({ length: count }, () => request),
    async check(raced) {
      const done = raced.filter(({ refusal }) => refusal === undefined);
      expect(done.length).toBeGreaterThan(0);
      expect(new Set(done.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      const refusals = new Set(raced.flatMap(({ refusal }) => refusal ?? []));
      expect([...refusals].filter((refusal) => refusal !== IN_USE)).toEqual([]);
      for (const { api } of shop.servers) {
        const again = await api('POST', path, request.body, request.headers);
        expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', done[0]!.body]);
      }
      const refunds = (await shop.all(`/v1/payment-sessions/${id}/transactions`)).slice(2);
      expect(refunds.map((each) => [each.type, each.amount])).toEqual([['Refund', 500]]);
      const events = await shop.eventsOf((data) => data.id === id);
      expect(events.filter(({ type }) => type.endsWith('.refunded'))).toHaveLength(1);
    },
  };
});

const oneAddress = race('one e-mail address, of new customers and of payments', async (shop, count) => {
  const email = `customer${shop.next()}@corner.example`;
  const sessions = await Promise.all(
    Array.from({ length: Math.floor(count / 2) }, () =>
      shop.session({ amount: 1_000, customerEmail: email }),
    ),
  );
  const paying = sessions.map(({ clientSecret }) =>
    post('/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: CARD }),
  );
  const creating = Array.from({ length: count - paying.length }, () => post('/v1/customers', { email }));
  return {
    requests: [...paying, ...creating],
    async check(raced) {
      const found = await shop.good('GET', `/v1/customers?email=${encodeURIComponent(email)}`);
      const [{ id }] = found.items;
      const created = raced.filter(({ request, refusal }) => request.path === '/v1/customers' && !refusal);
      expect(created.length).toBeLessThanOrEqual(1);
      expect(created.map(({ body }) => body.id)).toEqual(created.map(() => id));
      const paid = raced.filter(({ request }) => request.path !== '/v1/customers');
      expect(new Set(paid.map(({ body }) => `${body.status} ${body.customerId}`))).toEqual(
        new Set([`Captured ${id}`]),
      );
      const refusals = new Set(raced.flatMap(({ refusal }) => refusal ?? []));
      expect([...refusals].filter((refusal) => refusal !== EMAIL_USED)).toEqual([]);
      const events = await shop.eventsOf((data) => data.id === id || data.email === email);
      expect(events.map(({ type }) => type)).toEqual(['Customer.created']);
      if (!shop.database) return;
      const sql = 'SELECT COUNT(*) AS n FROM customers WHERE email = ?';
      expect(await shop.database.get(sql, email)).toEqual({ n: 1 });
    },
  };
});

export const ONLINE_RACES: readonly Race[] = [attempts, oneKey, oneAddress];
