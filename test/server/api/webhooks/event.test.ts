import { expect, test } from 'vitest';
import { raise } from '../../../../server/api/webhooks/event-log.ts';
import type { Event } from '../../../../server/api/webhooks/event.schema.ts';
import { START_MS, startEventServer } from '../../platform/outbox/event-server.ts';

const START = START_MS / 1000;

interface Page {
  items: Event[];
  paginationToken: string | null;
}

test(
  'GET /events/{eventId}: returns the whole object, with the deliveries and their states',
  { tags: ['spec:4.2/GET/events/{eventId}', 'spec:6/whole-object'] },
  async () => {
    const { call, register, record, settled, outgoing } = await startEventServer();
    const { id: webhookId } = await register('/a', ['PaymentSession.captured']);
    outgoing.answers('/a', 'hang');
    const data = { id: 'ps_1', amount: 900, metadata: { café: 'Zoë' }, nested: { list: [1, null, true] } };
    const id = await record('PaymentSession.captured', data);
    const event = {
      id,
      eventType: 'PaymentSession.captured',
      data,
      endpoints: [{ webhookId, acknowledged: false, attempts: 0 }],
      createdTimestamp: START,
      lastUpdatedTimestamp: START,
      deliveryStatus: 'Pending',
    };
    expect(id).toMatch(/^ev_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(await call(`GET /events/${id}`)).toEqual({ status: 200, body: event });

    outgoing.answers('/a', 200);
    outgoing.releaseAll();
    await settled();
    expect((await call(`GET /events/${id}`)).body).toEqual({
      ...event,
      endpoints: [{ webhookId, acknowledged: true, attempts: 2 }],
      deliveryStatus: 'Success',
    });
  },
);

test('GET /events/{eventId}: an event without a listening endpoint has no deliveries', async () => {
  const { call, register, record, outgoing, settled } = await startEventServer();
  await register('/a', ['Customer.created']);
  const { id } = await register('/b', ['Customer.deleted']);
  await call(`PATCH /webhooks/${id}`, { body: { active: false } });
  const event = await record('Customer.deleted');
  await settled();
  expect((await call<Event>(`GET /events/${event}`)).body).toMatchObject({
    endpoints: [],
    deliveryStatus: 'None',
  });
  expect(outgoing.sent).toEqual([]);
});

test(
  "GET /events: a sub account's event is delivered to the platform and listed under the sub account only",
  { tags: ['spec:4.2/events-of-sub-account', 'spec:6/events-of-sub-accounts'] },
  async () => {
    const { call, register, record, settled, outgoing, subAccountId } = await startEventServer();
    await register('/a', ['Customer.created']);
    const id = await record('Customer.created', { id: 'cus_1' }, subAccountId);
    await settled();
    expect(outgoing.sent.map(({ path }) => path)).toEqual(['/a']);
    expect(JSON.parse(outgoing.sent[0]!.body)).toMatchObject({ id, accountId: subAccountId });
    const seen = await call<Event>(`GET /events/${id}`, { account: subAccountId });
    expect(seen.body).toMatchObject({ id, accountId: subAccountId });
    expect((await call(`GET /events/${id}`)).status).toBe(404);
    expect((await call<Page>('GET /events')).body).toEqual({ items: [], paginationToken: null });
    expect((await call<Page>('GET /events', { account: subAccountId })).body.items).toHaveLength(1);
  },
);

test("GET /events: a platform's event is not listed under a sub account", async () => {
  const { call, record, subAccountId: account } = await startEventServer();
  const id = await record('Customer.created');
  expect((await call(`GET /events/${id}`, { account })).status).toBe(404);
  expect((await call('GET /events/ev_nonsense')).status).toBe(404);
  expect((await call<Event>(`GET /events/${id}`)).body).not.toHaveProperty('accountId');
});

test("GET /events: events about a sub account itself are the platform's", async () => {
  const { call, register, record, settled, outgoing, subAccountId } = await startEventServer();
  await register('/a', ['Account.updated']);
  const id = await record('Account.updated', { id: subAccountId }, subAccountId);
  await settled();
  expect(JSON.parse(outgoing.sent[0]!.body)).not.toHaveProperty('accountId');
  expect((await call(`GET /events/${id}`)).status).toBe(200);
  expect((await call(`GET /events/${id}`, { account: subAccountId })).status).toBe(404);
});

test('event log: a client secret is neither stored nor sent', async () => {
  const { call, register, record, settled, outgoing, services } = await startEventServer();
  await register('/a', ['PaymentSession.approved']);
  const data = { id: 'ps_1', clientSecret: 'ps_1_secret_x', amount: 900 };
  const id = await record('PaymentSession.approved', data);
  await settled();
  expect((await call<Event>(`GET /events/${id}`)).body.data).toEqual({ id: 'ps_1', amount: 900 });
  expect(outgoing.sent[0]!.body).not.toContain('secret');
  const rows = await services.store.all('SELECT * FROM events');
  expect(JSON.stringify(rows)).not.toContain('secret');
  expect(data.clientSecret).toBe('ps_1_secret_x');
});

test('event log: a transaction that is rolled back records, emits and sends nothing', async () => {
  const { services, platformId, register, settled, activities, outgoing } = await startEventServer();
  await register('/a', ['Customer.created']);
  const undone = services.store.transaction(async (tx) => {
    const happening = { type: 'Customer.created', accountId: platformId, data: { id: 'cus_1' } } as const;
    raise(tx, services, happening);
    throw new Error('the payment failed after all');
  });
  await expect(undone).rejects.toThrow('the payment failed after all');
  await settled();
  expect(await services.store.all('SELECT id FROM events')).toEqual([]);
  expect(await services.store.all('SELECT * FROM deliveries')).toEqual([]);
  expect(await services.store.all('SELECT * FROM jobs')).toEqual([]);
  expect(activities).toEqual(activities.filter(({ kind }) => kind === 'request' || kind.startsWith('call.')));
  expect(outgoing.sent).toEqual([]);
});

test('event log: events of one transaction are emitted in the order of recording', async () => {
  const { services, platformId, activities } = await startEventServer();
  const types = ['Terminal.action_updated', 'PaymentSession.approved', 'PaymentSession.captured'] as const;
  await services.store.transaction(async (tx) => {
    for (const type of types) {
      raise(tx, services, { type, accountId: platformId, data: { id: `of ${type}` } });
    }
  });
  const recorded = activities.flatMap((activity) => (activity.kind === 'event.recorded' ? [activity] : []));
  expect(recorded.map(({ eventType, objectId }) => [eventType, objectId])).toEqual(
    types.map((type) => [type, `of ${type}`]),
  );
});

test(
  'GET /events: returns pages in both directions, ties in the order of recording',
  { tags: ['spec:4.2/GET/events', 'spec:4.2/events-newest-first'] },
  async () => {
    const { call, record } = await startEventServer();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await record('Customer.created', { id: `cus_${n}` }));

    const first = (await call<Page>('GET /events')).body;
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(2).reverse());
    expect(first.paginationToken).toBe(ids[2]);
    const rest = (await call<Page>(`GET /events?startsAfter=${first.paginationToken}`)).body;
    expect(rest.items.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    expect(rest.paginationToken).toBeNull();

    const oldest = (await call<Page>('GET /events?ascending=True&limit=5')).body;
    expect(oldest.items.map(({ id }) => id)).toEqual(ids.slice(0, 5));
    const next = await call<Page>(`GET /events?ascending=1&limit=7&startsAfter=${oldest.paginationToken}`);
    expect(next.body.items.map(({ id }) => id)).toEqual(ids.slice(5));
    expect(next.body.paginationToken).toBeNull();

    for (const query of ['limit=0', 'limit=51', 'limit=x', 'ascending=maybe', 'startsAfter=ev_nobody']) {
      expect((await call(`GET /events?${query}`)).status, query).toBe(400);
    }
  },
);

test("GET /events: refuses the token of another account's event", async () => {
  const { call, record, subAccountId } = await startEventServer();
  const id = await record('Customer.created', { id: 'cus_1' }, subAccountId);
  expect((await call(`GET /events?startsAfter=${id}`)).status).toBe(400);
});
