import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Api } from '../../../testing/world/api.ts';
import { card, CARDS, encoded, openCheckout } from '../../kit/checkout.ts';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { requestListContract } from '../../contract/request-list.contract.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

requestListContract(async () => openStore({ path: ':memory:', log: silentLog }));

let world: World;
let api: Api;

const LOGGED = { requestLog: { countMax: 1_000, days: 7 }, idempotencyKeys: 'on' } as const;

beforeEach(async () => {
  world = await startWorld({ settings: LOGGED });
  api = world.api;
});
afterEach(() => world.close());

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

async function list(query = ''): Promise<Json[]> {
  const { status, body } = await api.get(`/sandbox/requests${query}`);
  expect(status).toBe(200);
  return body.items;
}

async function latest(): Promise<Json> {
  const [{ id }] = await list('?limit=1');
  return (await api.get(`/sandbox/requests/${id}`)).body;
}

const CUSTOMER = { email: 'ana@corner.example', firstName: 'Ana' };

test('requests: a call is stored with its body, reply, account and the last four characters of its key', async () => {
  const created = await api.as(world.subAccountId).post('/v1/customers', CUSTOMER);
  const { secretKey } = world.server.services.settings;
  expect(await latest()).toMatchObject({
    method: 'POST',
    path: '/v1/customers',
    status: 200,
    operation: 'POST /customers',
    reference: '/docs#/Customer/postCustomers',
    keyLastFour: secretKey.slice(-4),
    accountId: world.subAccountId,
    requestId: null,
    refusal: null,
    body: CUSTOMER,
    reply: created.body,
    headers: { account: world.subAccountId, 'content-type': 'application/json' },
    objectIds: [created.body.id],
    events: [{ eventType: 'Customer.created', objectId: created.body.id }],
  });
});

test.each([
  ['no key', () => api.raw('GET', '/v1/customers', undefined, { authorization: '' }), 'no_credentials'],
  ['an unknown key', () => api.withKey('sk_sandbox_none_like_it').get('/v1/customers'), 'bad_key'],
  ['an unknown path', () => api.get('/v1/nothing'), 'unknown_path'],
  ['an unknown object', () => api.get('/v1/customers/cus_01J9Z6M1N2P3Q4R5S6T7V8W9XA'), 'not_found'],
  ['a path that cannot be decoded', () => api.get('/v1/customers/%zz'), 'undecodable_path'],
  ['a body that is no JSON', () => api.raw('POST', '/v1/customers', '{"email":'), 'not_json'],
  [
    'a body that is too large',
    () => api.raw('POST', '/v1/customers', 'x'.repeat(1_100_000)),
    'body_too_large',
  ],
  ['a wrong method', () => api.raw('PUT', '/v1/customers'), 'wrong_method'],
])(
  'requests: a refusal is stored with its rule and the id in the reply: %s',
  async (_what, call, refusal) => {
    const { status, body } = await call();
    expect(await latest()).toMatchObject({ status, refusal, requestId: body.requestId, reply: body });
  },
);

test('requests: a refusal at the rate limit is stored', async () => {
  const limited = await startWorld({
    settings: { requestLog: { countMax: 100, days: 7 }, rateLimit: 'on' },
  });
  for (let sent = 0; sent < 20; sent += 1) await limited.api.get('/v1/customers');
  const { items } = (await limited.api.get('/sandbox/requests?status=429')).body;
  expect(items.length).toBeGreaterThan(0);
  expect(items[0]).toMatchObject({ path: '/v1/customers', refusal: 'rate_exceeded' });
  await limited.close();
});

test('requests: no secret and no card number is stored', async () => {
  const shop = openCheckout(api);
  const session = await shop.captured({ amount: 1_742 });
  await api.get(`/v1/payment-sessions/${session.id}?clientSecret=${session.clientSecret}`);
  await world.listen('till', ['PaymentSession.captured']);
  const { terminalId } = await world.addTerminal();
  await api.post(`/pairing/terminals/${terminalId}`);
  await api.raw('POST', '/v1/customers', '{"cvc": "987", "number": "4242 4242 4242 4242", ');
  await list();
  const rows = await world.server.services.store.all('SELECT * FROM requests');
  // A duration may have the digits of a security code.
  const stored = JSON.stringify(rows.map((row) => ({ ...row, elapsed_us: null, total_bytes: null })));
  const { secretKey, publicKey } = world.server.services.settings;
  for (const secret of [secretKey, publicKey, session.clientSecret, encoded(card(CARDS.plain)), '987'])
    expect(stored).not.toContain(secret);
  expect(stored).not.toMatch(/4242 ?4242 ?4242 ?4242|whs_[0-9a-f]{8}|_secret_\w/);
  expect(stored).toContain('424242··4242');
});

test('requests: an idempotency key shows its end, and its repetition that it was one', async () => {
  const send = () =>
    api.raw('POST', '/v1/customers', JSON.stringify(CUSTOMER), { 'idempotency-key': 'order-4711-of-monday' });
  await send();
  await send();
  expect(await latest()).toMatchObject({
    idempotencyKey: 'used',
    headers: { 'idempotency-key': '··nday' },
    replyHeaders: { 'idempotent-replayed': 'true' },
    body: CUSTOMER,
  });
});

test('requests: an idempotency key that is ignored is marked, and the list can be limited to such requests', async () => {
  const plain = await startWorld({ settings: { ...LOGGED, idempotencyKeys: 'off' } });
  onTestFinished(() => plain.close());
  const key = { 'idempotency-key': 'order-4711-of-monday' };
  await plain.api.raw('POST', '/v1/customers', JSON.stringify(CUSTOMER), key);
  await plain.api.raw('GET', '/v1/customers', '', key);
  await plain.api.get('/v1/customers');
  const listed = async (query = '') =>
    (await plain.api.get(`/sandbox/requests${query}`)).body.items.map(
      ({ method, idempotencyKey }: Record<string, unknown>) => [method, idempotencyKey],
    );
  const ignored = [
    ['GET', 'ignored'],
    ['POST', 'ignored'],
  ];
  expect(await listed()).toEqual([['GET', null], ...ignored]);
  expect(await listed('?idempotencyKey=ignored')).toEqual(ignored);
  expect(await listed('?idempotencyKey=used')).toEqual([]);
});

test('requests: a look at the requests is not stored, nor are calls of other paths', async () => {
  await list();
  await api.get('/healthz');
  expect(await list()).toEqual([]);
});

test.each(['deliveries', 'webhooks', 'objects?type=customer', 'search?text=ana', 'recordings'])(
  'requests: a read of /sandbox/%s is stored, unless the dashboard makes it',
  async (read) => {
    const { dashboardToken } = world.server.services.settings;
    const page = api.withKey(dashboardToken);
    expect((await page.get(`/sandbox/${read}`)).status).toBe(200);
    expect(await list()).toEqual([]);
    await api.get(`/sandbox/${read}`);
    expect(await list()).toMatchObject([{ path: `/sandbox/${read.split('?')[0]}`, status: 200 }]);
  },
);

test('requests: an upload is stored by its fields and the name, type and size of its file', async () => {
  const form = new FormData();
  form.set('category', 'Evidence');
  form.set('file', new Blob(['%PDF-1.4'], { type: 'application/pdf' }), 'letter.pdf');
  const sent = new Response(form);
  await api.raw('POST', '/v1/files', Buffer.from(await sent.arrayBuffer()), {
    'content-type': sent.headers.get('content-type')!,
  });
  expect((await latest()).body).toEqual({
    category: 'Evidence',
    file: { name: 'letter.pdf', contentType: 'application/pdf', sizeInBytes: 8 },
  });
});
