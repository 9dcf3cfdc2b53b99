import { expect, test } from 'vitest';
import { sessionList } from '../../../../server/api/payments/payment-session.records.ts';
import { paymentServer, type PaymentServer } from './payment-server.ts';

const DAY_MS = 86_400_000;

async function idsOf({ api }: PaymentServer, query: string): Promise<string[]> {
  const { status, body } = await api.get(`/v1/payment-sessions?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.items.map(({ id }: { id: string }) => id);
}

test(
  'GET /payment-sessions: returns the sessions of today, newest first, or of a window',
  { tags: ['spec:4.1/GET/payment-sessions', 'spec:4.1/sessions-of-today'] },
  async () => {
    const server = await paymentServer();
    const { shop, clock } = server;
    const ids: string[] = [];
    const seconds: number[] = [];
    for (let day = 0; day < 3; day++) {
      for (let each = 0; each < 2; each++) ids.push((await shop.session()).id);
      seconds.push(Math.floor(clock.nowMs() / 1000));
      await clock.advance(DAY_MS);
    }
    expect(await idsOf(server, '')).toEqual([]);
    const [first, second, third] = seconds as [number, number, number];
    const newest = [...ids].reverse();
    expect(await idsOf(server, `startTimestamp=${first}`)).toEqual(newest);
    expect(await idsOf(server, `startTimestamp=${first}&ascending=True`)).toEqual(ids);
    expect(await idsOf(server, `startTimestamp=${second}`)).toEqual(newest.slice(0, 4));
    expect(await idsOf(server, `startTimestamp=${first + 1}&endTimestamp=${third - 1}`)).toEqual(
      ids.slice(2, 4).reverse(),
    );
    expect(await idsOf(server, `startTimestamp=0&endTimestamp=${first}`)).toEqual(newest.slice(4));
    expect(await idsOf(server, `startTimestamp=0&limit=1&startsAfter=${ids[3]}`)).toEqual([ids[2]]);
    ids.push((await shop.session()).id);
    expect(await idsOf(server, '')).toEqual(ids.slice(-1));
  },
);

test('GET /payment-sessions: at midnight the list of today is empty, not refused', async () => {
  const server = await paymentServer();
  await server.clock.advance(DAY_MS - (server.clock.nowMs() % DAY_MS));
  expect(await idsOf(server, '')).toEqual([]);
});

test(
  'GET /payment-sessions: refuses a window that ends before it starts, and a token of another list',
  { tags: ['spec:4.1/window'] },
  async () => {
    const { api, branch, branchApi } = await paymentServer();
    const session = await branch.session();
    for (const query of [
      'startTimestamp=5&endTimestamp=5',
      'startTimestamp=6&endTimestamp=5',
      'endTimestamp=5',
      'startTimestamp=soon',
      'limit=51',
      'limit=0',
      `startsAfter=${session.id}`,
    ]) {
      const { status, body } = await api.get(`/v1/payment-sessions?${query}`);
      expect([query, status, body.errors?.[0].code]).toEqual([query, 400, 'invalid_field']);
    }
    expect((await branchApi.get('/v1/payment-sessions')).body.items).toHaveLength(1);
    expect((await api.get('/v1/payment-sessions')).body.items).toHaveLength(0);
  },
);

test('GET /payment-sessions: a window reads no more rows than it returns', async () => {
  const { services, platformId } = await paymentServer();
  const { owned, shown } = sessionList(platformId, { startTimestamp: 1000, endTimestamp: 2000 });
  const plan = await services.store.all<{ detail: string }>(
    `EXPLAIN QUERY PLAN SELECT * FROM payment_sessions WHERE ${owned.where} AND ${shown!.where}
     ORDER BY seq DESC LIMIT 11`,
    ...owned.parameters,
    ...shown!.parameters,
  );
  const details = plan.map(({ detail }) => detail).join('\n');
  expect(details).toMatch(/payment_sessions_by_account \(account_id=\? AND seq>\? AND seq<\?\)/);
  expect(details).not.toMatch(/SCAN payment_sessions|TEMP B-TREE/);
});

test('GET /payment-sessions: a window may reach to the largest integer', async () => {
  const { api, shop } = await paymentServer();
  await shop.session();
  const window = `startTimestamp=${-(2 ** 53) + 1}&endTimestamp=${2 ** 53 - 1}`;
  expect((await api.get(`/v1/payment-sessions?${window}`)).body.items).toHaveLength(1);
  expect((await api.get(`/v1/customers?${window}`)).status).toBe(200);
  expect((await api.get(`/v1/customers?endTimestamp=${2 ** 53}`)).body.errors[0].message).toBe(
    'endTimestamp must be an integer',
  );
});
