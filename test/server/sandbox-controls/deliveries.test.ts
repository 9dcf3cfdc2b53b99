import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Api } from '../../../testing/world/api.ts';
import { openTill, type Till } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { deliveryRoutes } from '../../../server/sandbox-controls/delivery.resource.ts';
import { smallServer } from '../platform/http/small-server.ts';
import { verifySignature } from '../../../server/platform/outbox/signature.ts';

let world: World;
let api: Api;

beforeEach(async () => {
  world = await startWorld({ settings: { requestLog: { countMax: 1_000, days: 7 } } });
  api = world.api;
});
afterEach(() => world.close());

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

async function list(query = ''): Promise<Json[]> {
  const { status, body } = await api.get(`/sandbox/deliveries${query}`);
  expect(status).toBe(200);
  return body.items;
}

async function one(id: string): Promise<Json> {
  const { status, body } = await api.get(`/sandbox/deliveries/${id}`);
  expect(status).toBe(200);
  return body;
}

async function createCustomer(email = 'ana@corner.example'): Promise<string> {
  const { body } = await api.post('/v1/customers', { email });
  await world.settled();
  return body.id;
}

test('deliveries: one shows its body, signature, attempts and the request that caused its event', async () => {
  const shop = await world.listen('shop', ['Customer.created']);
  shop.behaviour = 500;
  const customer = await createCustomer();
  const [summary] = await list();
  const { id, eventId, webhookId } = summary;
  expect(id).toBe(`${eventId}.${webhookId}`);
  expect(summary).toMatchObject({
    eventType: 'Customer.created',
    objectId: customer,
    url: 'https://shop.example/webhooks',
    status: 'Retrying',
    attempts: 2,
    lastResult: '500',
    nextAttemptTimestamp: summary.lastAttemptTimestamp + 60,
  });

  const delivery = await one(id);
  expect(delivery).toMatchObject({
    endpoint: { active: true, deleted: false },
    body: shop.deliveries[0]!.body,
    signature: { header: 'Signature', algorithm: 'HMAC-SHA256', value: shop.deliveries[0]!.signature },
    objectIds: [customer],
    request: { method: 'POST', path: '/v1/customers', status: 200, whileItRan: true },
  });
  const attempt = { sentAgain: false, problem: null, reply: { status: 500, body: '', isCut: false } };
  expect(delivery.attemptLog).toMatchObject([
    { number: 1, ...attempt, headers: { Signature: delivery.signature.value } },
    { number: 2, ...attempt },
  ]);
  const cause = await api.get(`/sandbox/requests/${delivery.request.id}`);
  expect(cause.body.events).toMatchObject([{ id: eventId }]);
});

test('deliveries: the request that caused an event later is the latest about its object', async () => {
  await world.listen('shop', ['PaymentSession.captured']);
  const till: Till = openTill(world, await world.addTerminal());
  await till.takes(1742);
  const [{ id }] = await list();
  expect((await one(id)).request).toMatchObject({
    method: 'POST',
    path: `/v1/in-person/terminals/${till.terminal.terminalId}/payment`,
  });
});

test('deliveries: no secret and no query of an endpoint is shown', async () => {
  const eventTypes = ['Customer.created'];
  const url = 'https://shop.example/hook?token=mine';
  const { body: webhook } = await api.post('/v1/webhooks', { url, active: true, eventTypes });
  await createCustomer();
  const [{ id }] = await list();
  const shown = JSON.stringify([
    await list(),
    await one(id),
    (await api.get('/sandbox/webhooks')).body,
    await world.server.services.store.all('SELECT attempt_log FROM deliveries'),
  ]);
  expect(shown).toContain('https://shop.example/hook');
  for (const secret of [webhook.secret, 'token=mine']) expect(shown).not.toContain(secret);
  const { body, signature } = await one(id);
  expect(verifySignature(webhook.secret, body, signature.value)).toBe(true);
});

test('deliveries: are listed by status, reply, event, object, endpoint and text', async () => {
  const shop = await world.listen('shop', ['Customer.created', 'Customer.deleted']);
  const till = await world.listen('till', ['Customer.created']);
  const ana = await createCustomer();
  shop.behaviour = 503;
  const ben = await createCustomer('ben@corner.example');
  await api.raw('DELETE', `/v1/customers/${ana}`);
  await world.settled();
  const shown = async (query: string) =>
    (await list(query)).map(
      ({ eventType, objectId, url, status }) =>
        `${eventType.split('.')[1]} ${objectId === ana ? 'ana' : 'ben'} ${url.slice(8, 12)} ${status}`,
    );
  expect(await shown('?status=Delivered')).toEqual([
    'created ben till Delivered',
    'created ana till Delivered',
    'created ana shop Delivered',
  ]);
  expect(await shown('?status=Retrying')).toEqual(['deleted ana shop Retrying', 'created ben shop Retrying']);
  expect(await shown('?status=Pending')).toEqual([]);
  expect(await shown('?status=Failed')).toEqual([]);
  expect(await shown('?reply=503')).toEqual(await shown('?reply=5xx'));
  expect(await shown('?reply=5xx')).toHaveLength(2);
  expect(await shown('?reply=none')).toEqual([]);
  expect(await shown('?event=deleted')).toEqual(['deleted ana shop Retrying']);
  expect(await shown(`?object=${ben}&endpoint=till`)).toEqual(['created ben till Delivered']);
  expect(await shown('?text=BEN%40corner')).toHaveLength(2);
  const [{ eventId, webhookId }] = await list();
  expect(await list(`?event=${eventId}`)).toHaveLength(1);
  expect(await list(`?endpoint=${webhookId}`)).toHaveLength(3);
  expect(till.deliveries).toHaveLength(2);
  for (const [query, field] of [
    ['?status=Broken', 'status'],
    ['?reply=abc', 'reply'],
    ['?limit=0', 'limit'],
  ])
    expect((await api.get(`/sandbox/deliveries${query}`)).body.errors[0].message).toMatch(field!);
});

test('deliveries: pages go on where the last one ended, and newer ones follow with ascending', async () => {
  await world.listen('shop', ['Customer.created']);
  for (let number = 0; number < 5; number += 1) await createCustomer(`${number}@corner.example`);
  const page = async (query: string) => (await api.get(`/sandbox/deliveries?limit=2${query}`)).body;
  const first = await page('');
  const second = await page(`&startsAfter=${first.paginationToken}`);
  const last = await page(`&startsAfter=${second.paginationToken}`);
  const ids = [first, second, last].flatMap(({ items }) => items.map(({ id }: Json) => id));
  expect(ids).toEqual((await list('?limit=50')).map(({ id }) => id));
  expect(last.paginationToken).toBeNull();

  await createCustomer('new@corner.example');
  const newer = await page(`&ascending=true&startsAfter=${ids[0]}`);
  expect(newer.items).toHaveLength(1);
  expect((await api.get('/sandbox/deliveries?startsAfter=ev_1.wh_1')).status).toBe(400);
});

test('deliveries: one is sent again once, whatever its state, and its schedule goes on', async () => {
  const shop = await world.listen('shop', ['Customer.created']);
  shop.behaviour = 500;
  await createCustomer();
  const [before] = await list();
  const send = async () => (await api.post(`/sandbox/deliveries/${before.id}/send`)).body;

  expect(await send()).toMatchObject({
    status: 'Retrying',
    attempts: 3,
    nextAttemptTimestamp: before.nextAttemptTimestamp,
    attemptLog: [{}, {}, { number: 3, sentAgain: true, reply: { status: 500 } }],
  });
  await world.advance({ minutes: 1 });
  expect(shop.deliveries).toHaveLength(4);

  shop.behaviour = 200;
  expect(await send()).toMatchObject({ status: 'Delivered', attempts: 5, nextAttemptTimestamp: null });
  await world.advance({ minutes: 60 });
  expect(shop.deliveries).toHaveLength(5);

  shop.behaviour = 410;
  expect(await send()).toMatchObject({ status: 'Delivered', attempts: 6, lastResult: '410' });
  await world.advance({ minutes: 60 });
  expect(shop.deliveries).toHaveLength(6);
});

test('deliveries: several are sent again in the order in which they are named', async () => {
  const shop = await world.listen('shop', ['Customer.created']);
  const customers = [];
  for (const name of ['a', 'b', 'c']) customers.push(await createCustomer(`${name}@corner.example`));
  const [c, b, a] = await list();
  for (const { id } of [b, c, a]) await api.post(`/sandbox/deliveries/${id}/send`);
  const again = shop.deliveries.slice(3).map(({ event }) => event.data.id);
  expect(again).toEqual([customers[1], customers[2], customers[0]]);
});

test('deliveries: to an endpoint that is inactive or deleted are refused, and keep their signature', async () => {
  await world.listen('shop', ['Customer.created']);
  await createCustomer();
  const [{ id, webhookId }] = await list();
  const { signature } = await one(id);
  await api.raw('DELETE', `/v1/webhooks/${webhookId}`);
  expect((await api.post(`/sandbox/deliveries/${id}/send`)).status).toBe(409);
  expect(await one(id)).toMatchObject({ endpoint: { active: false, deleted: true }, signature });
  expect((await api.get('/sandbox/deliveries/ev_1.wh_1')).status).toBe(404);
  expect((await api.post('/sandbox/deliveries/nonsense/send')).status).toBe(404);
});

test('endpoints: show how their latest deliveries went', async () => {
  const shop = await world.listen('shop', ['Customer.created']);
  await world.listen('till', ['Customer.deleted']);
  const health = async () => (await api.get('/sandbox/webhooks')).body.items;
  await createCustomer('a@corner.example');
  await world.advance({ seconds: 1 });
  shop.behaviour = 503;
  await createCustomer('b@corner.example');
  await createCustomer('c@corner.example');
  const [till, failing] = await health();
  expect(till).toMatchObject({ url: 'https://till.example/webhooks', health: { deliveries: 0, waiting: 0 } });
  const { lastSuccessTimestamp: successAt } = failing.health;
  expect(failing).toMatchObject({
    active: true,
    eventTypes: ['Customer.created'],
    health: {
      deliveries: 3,
      delivered: 1,
      failed: 0,
      waiting: 2,
      failuresInRow: 2,
      lastFailure: '503',
      lastFailureTimestamp: successAt + 1,
      nextAttemptTimestamp: successAt + 61,
    },
  });
  await world.advance({ minutes: 60 });
  expect((await health())[1].health).toMatchObject({ failed: 2, waiting: 0, nextAttemptTimestamp: null });
});

test('deliveries: with live keys there are none', { tags: ['spec:1/sandbox-controls'] }, async () => {
  const { call } = await smallServer(deliveryRoutes, { mode: 'live' });
  for (const path of ['/sandbox/deliveries', '/sandbox/webhooks'])
    expect((await call(`GET ${path}`)).status).toBe(404);
});
