import { afterEach, beforeEach, expect, test } from 'vitest';
import { checker, Type, type TSchema } from '../../protocol/schema.ts';
import { Event, eventRoutes } from '../../server/events/event.resource.ts';
import { webhookRoutes } from '../../server/events/webhook.resource.ts';
import type { Route } from '../../server/http/route.ts';
import { actionRoutes } from '../../server/in-person/action.resource.ts';
import { locationRoutes } from '../../server/in-person/location.resource.ts';
import { orderRoutes } from '../../server/in-person/order.resource.ts';
import { productRoutes } from '../../server/in-person/product.resource.ts';
import { skuRoutes } from '../../server/in-person/sku.resource.ts';
import { Terminal, terminalRoutes } from '../../server/in-person/terminal.resource.ts';
import { paymentSessionRoutes } from '../../server/payments/payment-session.resource.ts';
import { PaymentSession } from '../../server/payments/payment-session.schema.ts';
import { transactionRoutes } from '../../server/payments/transaction.resource.ts';
import type { Services } from '../../server/services.ts';
import type { Answer, Api } from '../kit/api.ts';
import { openTill, type Till } from '../kit/till.ts';
import { startWorld, type World } from '../kit/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

let world: World;
let api: Api;
let till: Till;
let routes: Route[];
/** Operations that succeeded, whose replies were as declared. */
let succeeded: Set<string>;

beforeEach(async () => {
  const bare = await startWorld();
  routes = routesUnderV1(bare.server.services);
  succeeded = new Set();
  api = checked(bare.api);
  world = Object.create(bare, { api: { value: api } }) as World;
  till = openTill(world, await bare.addTerminal());
});
afterEach(() => world.close());

function routesUnderV1(services: Services): Route[] {
  return [
    ...paymentSessionRoutes(services),
    ...transactionRoutes(services),
    ...webhookRoutes(services),
    ...eventRoutes(services),
    ...locationRoutes(services),
    ...terminalRoutes(services),
    ...actionRoutes(services),
    ...productRoutes(services),
    ...skuRoutes(services),
    ...orderRoutes(services),
  ];
}

/** The API as before, but each answer is held against its declaration. */
function checked(bare: Api): Api {
  const check = async (method: string, path: string, asked: Promise<Answer>) => {
    const answer = await asked;
    if (path.startsWith('/v1/')) checkAnswer(method, path.split('?')[0]!, answer);
    return answer;
  };
  return {
    get: (path) => check('GET', path, bare.get(path)),
    post: (path, body) => check('POST', path, bare.post(path, body)),
    patch: (path, body) => check('PATCH', path, bare.patch(path, body)),
    delete: (path, body) => check('DELETE', path, bare.delete(path, body)),
    raw: (method, path, body, headers) => check(method, path, bare.raw(method, path, body, headers)),
    as: (accountId) => checked(bare.as(accountId)),
    withKey: (key) => checked(bare.withKey(key)),
    get open() {
      return bare.open;
    },
  };
}

const REFUSAL = Type.Object({
  requestId: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  code: Type.String({ pattern: '^[45][0-9]{2}$' }),
  errors: Type.Array(
    Type.Object({ code: Type.String({ pattern: '^[a-z_]+$' }), message: Type.String({ minLength: 5 }) }),
    { minItems: 1 },
  ),
});

function checkAnswer(method: string, path: string, { status, headers, body }: Answer): void {
  const route = routes.find((known) => known.method === method && matches(known.path, path))!;
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  if (status !== route.status) {
    expect([path, misfits(REFUSAL, body)]).toEqual([path, []]);
    expect(body.code).toBe(String(status));
    return;
  }
  expect([path, misfits(route.reply, body)]).toEqual([path, []]);
  succeeded.add(route.operation);
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/** Where a value is not as declared, and where it has a member that nobody declared. */
function misfits(schema: TSchema, value: Json): string[] {
  const problems = checker(schema)(value).map(({ path, message }) => `${path} ${message}`);
  return [...problems, ...undeclared(schema, value, '')];
}

function undeclared(schema: Json, value: Json, path: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  const object = schema.anyOf?.find((one: Json) => one.type !== 'null') ?? schema;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => undeclared(object.items, item, `${path}.${index}`));
  }
  if (!object.properties || object.additionalProperties) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name in object.properties
      ? undeclared(object.properties[name], member, `${path}.${name}`)
      : [`${path}.${name} is not declared`],
  );
}

const { clientSecret: _left, ...told } = PaymentSession.properties;
/** What an event of each object carries; a session without its client secret. */
const CARRIED: Record<string, TSchema> = { Terminal, PaymentSession: Type.Object(told) };

function checkEvent(event: Json): void {
  expect([event.eventType, misfits(Event, event)]).toEqual([event.eventType, []]);
  const carried = CARRIED[event.eventType.split('.')[0]]!;
  expect([event.eventType, misfits(carried, event.data)]).toEqual([event.eventType, []]);
}

async function payAndRefund(): Promise<Json> {
  const session = await till.takes(1742, { paymentSession: { metadata: { order: '42' } } });
  await till.refund(session.id, { amount: 742 });
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'apple-pay' });
  await world.settled();
  return till.session(session.id);
}

async function everyEndOfAnAction(): Promise<void> {
  await till.pay(1000);
  await till.pay(1000); // busy
  await till.cancel();
  await till.cancel(); // nothing to cancel
  await till.takes(1901); // declined
  await till.takes(1000, { receipts: 'PointOfSale' });
  await till.confirm({ merchantCopy: { status: 'Succeeded' } });
  await till.action();
  await till.confirm({ customerCopy: { status: 'Succeeded' } });
  await till.takes(1000, { receipts: 'PointOfSale' });
  await till.confirm({ merchantCopy: { status: 'Failed' } });
  await till.takes(1000, { receipts: 'PointOfSale' });
  await world.advance({ seconds: 61 });
  till.terminal.perform({ act: 'power', state: 'off' });
  await till.pay(1000);
  await world.advance({ seconds: 11 });
  expect((await till.action()).error).toEqual({ code: 'terminal_offline' });
}

async function readEverything(session: Json): Promise<void> {
  const one = async (list: string, more = '') => {
    const { body } = await api.get(`${list}?limit=1&${more}`);
    return api.get(`${list}/${body.items[0].id}`);
  };
  await one(`/v1/payment-sessions/${session.id}/transactions`);
  await one('/v1/in-person/locations');
  await one('/v1/in-person/terminals');
  await one('/v1/in-person/products');
  await one('/v1/in-person/skus', 'country=GB');
  await one('/v1/in-person/orders');
  for (const { id } of (await api.get('/v1/in-person/orders?limit=50')).body.items) {
    await api.get(`/v1/in-person/orders/${id}`);
  }
  await one('/v1/webhooks');
  await one('/v1/events');
  const { body } = await api.get(`/v1/payment-sessions/${session.id}/transactions?ascending=true`);
  expect(body.items.map(({ type }: Json) => type)).toEqual(['Authorization', 'Capture', 'Refund']);
}

async function changeAndDelete(): Promise<void> {
  const address = { lineOne: '1 Main St', city: 'Austin', country: 'US', postalCode: '73301', region: 'TX' };
  const place = { name: 'Austin Store', address, geoCoordinates: { latitude: 30.25, longitude: -97.75 } };
  const location = await api.post('/v1/in-person/locations', place);
  const registration = { serialNumber: 'A920-0001', locationId: location.body.id };
  const terminal = await api.post('/v1/in-person/terminals', registration);
  const webhooks = await api.get('/v1/webhooks');
  const changes: [string, string, object][] = [
    ['/v1/in-person/terminals', terminal.body.id, { name: 'Till 2', metadata: { a: 'b' } }],
    ['/v1/in-person/locations', location.body.id, { name: 'Austin Store 2' }],
    ['/v1/webhooks', webhooks.body.items[0].id, { active: false }],
  ];
  for (const [list, id, change] of changes) {
    await api.patch(`${list}/${id}`, change);
    await api.get(`${list}/${id}`);
    await api.delete(`${list}/${id}`);
    expect((await api.get(`${list}/${id}`)).status).toBe(404);
  }
}

test('every operation answers as it is declared, and so does every event, wherever an action has come', async () => {
  const shop = world.receivers.open('shop');
  const eventTypes = [
    'Terminal.action_updated',
    'PaymentSession.approved',
    'PaymentSession.captured',
    'PaymentSession.declined',
    'PaymentSession.voided',
    'PaymentSession.refunded',
  ];
  await api.post('/v1/webhooks', { url: shop.url, active: true, eventTypes });
  const session = await payAndRefund();
  expect(session).toMatchObject({ status: 'Captured', refundedAmount: 742 });
  await everyEndOfAnAction();
  await readEverything(session);
  expect(new Set(shop.types())).toEqual(new Set(eventTypes));
  for (const { event } of shop.deliveries) checkEvent(event);
  for (const event of (await api.get('/v1/events?limit=50')).body.items) checkEvent(event);
  await changeAndDelete();

  expect([...succeeded].toSorted()).toEqual(routes.map(({ operation }) => operation).toSorted());
  const { body: document } = await api.get('/openapi.json');
  const declared = Object.entries<object>(document.paths).filter(([path]) => path.startsWith('/v1/'));
  expect(declared.flatMap(([, item]) => Object.keys(item))).toHaveLength(routes.length);
});
