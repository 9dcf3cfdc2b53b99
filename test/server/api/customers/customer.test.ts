import { expect, test } from 'vitest';
import { ensureCustomer } from '../../../../server/api/customers/customer-service.ts';
import { START_MS } from '../../platform/http/small-server.ts';
import { customerServer } from './customer-server.ts';

const now = START_MS / 1000;

test(
  'POST /customers: creates a customer that can be fetched',
  { tags: ['spec:4.8/POST/customers', 'spec:4.8/GET/customers/{customerId}'] },
  async () => {
    const server = await customerServer();
    const details = {
      firstName: 'Sam',
      lastName: 'Doe',
      homePhoneNumber: '+441132960000',
      mobilePhoneNumber: '+447700900123',
      metadata: { tier: 'gold' },
    };
    const body = { email: 'Sam@Example.com', ...details };
    const created = await server.call('POST /v1/customers', { body });
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^cus_[0-9A-Z]{26}$/),
      ...body,
      createdTimestamp: now,
      lastUpdatedTimestamp: now,
    });
    const fetched = await server.call(`GET /v1/customers/${created.body.id}`);
    expect(fetched.body).toEqual(created.body);
    expect(await server.events()).toEqual([`Customer.created ${created.body.id}`]);
  },
);

test('POST /customers: needs only an e-mail address', async () => {
  const server = await customerServer();
  const { body } = await server.call('POST /v1/customers', { body: { email: 'sam@example.com' } });
  expect(body).toEqual({
    id: expect.any(String),
    email: 'sam@example.com',
    metadata: {},
    createdTimestamp: now,
    lastUpdatedTimestamp: now,
  });
});

test.each([
  ['no address', {}, /^email is required/],
  ['no at sign', { email: 'sam' }, /^email /],
  ['blanks', { email: 'sam doe@example.com' }, /^email /],
  ['too long', { email: `${'a'.repeat(250)}@b.co` }, /^email /],
  [
    'a phone number without a country',
    { email: 'a@b.co', homePhoneNumber: '01132960000' },
    /^homePhoneNumber /,
  ],
  ['an empty name', { email: 'a@b.co', firstName: '' }, /^firstName /],
  ['metadata that is not text', { email: 'a@b.co', metadata: { a: 1 } }, /^metadata\.a /],
  [
    'eleven entries',
    { email: 'a@b.co', metadata: Object.fromEntries([...'abcdefghijk'].map((key) => [key, 'x'])) },
    /^metadata /,
  ],
])('POST /customers: refuses %s', async (_what, body, message) => {
  const server = await customerServer();
  const answer = await server.call('POST /v1/customers', { body });
  expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_field']);
  expect(answer.body.errors[0].message).toMatch(message);
  expect(await server.events()).toEqual([]);
});

test('POST /customers: an e-mail address is unique in an account whatever its case, and free after deletion', async () => {
  const server = await customerServer();
  const id = await server.create('sam@example.com');
  const again = await server.call('POST /v1/customers', { body: { email: 'SAM@example.com' } });
  expect([again.status, again.body.errors[0].code]).toEqual([409, 'conflict']);
  const elsewhere = await server.call('POST /v1/customers', {
    body: { email: 'sam@example.com' },
    headers: { account: server.subAccountId },
  });
  expect(elsewhere.status).toBe(200);
  await server.call(`DELETE /v1/customers/${id}`);
  const later = await server.call('POST /v1/customers', { body: { email: 'SAM@example.com' } });
  expect(later.status).toBe(200);
});

test('GET /customers: returns pages, newest first', { tags: ['spec:4.8/GET/customers'] }, async () => {
  const server = await customerServer();
  const ids = [];
  for (const name of ['a', 'b', 'c']) ids.push(await server.create(`${name}@example.com`));
  const first = await server.call('GET /v1/customers?limit=2');
  expect(first.body.items.map((item: { id: string }) => item.id)).toEqual([ids[2], ids[1]]);
  const second = await server.call(`GET /v1/customers?limit=2&startsAfter=${first.body.paginationToken}`);
  expect(second.body).toMatchObject({ items: [{ id: ids[0] }], paginationToken: null });
  const oldest = await server.call('GET /v1/customers?ascending=1&limit=1');
  expect(oldest.body.items[0].id).toBe(ids[0]);
});

test('GET /customers: a window includes both ends', async () => {
  const server = await customerServer();
  const ids = [];
  for (const name of ['a', 'b', 'c']) {
    ids.push(await server.create(`${name}@example.com`));
    await server.clock.advance(60_000);
  }
  const inWindow = async (query: string) => {
    const { body } = await server.call(`GET /v1/customers?${query}`);
    return body.items.map((item: { id: string }) => item.id);
  };
  expect(await inWindow(`startTimestamp=${now + 60}`)).toEqual([ids[2], ids[1]]);
  expect(await inWindow(`endTimestamp=${now + 60}`)).toEqual([ids[1], ids[0]]);
  expect(await inWindow(`startTimestamp=${now + 1}&endTimestamp=${now + 119}`)).toEqual([ids[1]]);
  const backwards = await server.call(`GET /v1/customers?startTimestamp=${now}&endTimestamp=${now}`);
  expect([backwards.status, backwards.body.errors[0].code]).toEqual([400, 'invalid_field']);
});

test('GET /customers: finds one customer by e-mail address, ignoring other filters', async () => {
  const server = await customerServer();
  const id = await server.create('sam@example.com');
  await server.create('sam2@example.com');
  const found = await server.call(
    'GET /v1/customers?email=SAM%40example.com&startTimestamp=9&endTimestamp=1',
  );
  expect(found.body).toMatchObject({ items: [{ id }], paginationToken: null });
  const malformed = 'limit=all&ascending=maybe&startTimestamp=x&startsAfter=nothing';
  const again = await server.call(`GET /v1/customers?email=sam%40example.com&${malformed}`);
  expect([again.status, again.body.items]).toMatchObject([200, [{ email: 'sam@example.com' }]]);
  expect((await server.call(`GET /v1/customers?email=&${malformed}`)).status).toBe(400);
  const none = await server.call('GET /v1/customers?email=sam');
  expect(none.body).toEqual({ items: [], paginationToken: null });
});

test(
  'PATCH /customers/{customerId}: changes the fields that are sent, never the e-mail address',
  { tags: ['spec:4.8/PATCH/customers/{customerId}'] },
  async () => {
    const server = await customerServer();
    const id = await server.create('sam@example.com', { firstName: 'Sam', metadata: { a: '1', b: '2' } });
    await server.clock.advance(5_000);
    const body = { email: 'other@example.com', lastName: 'Doe', metadata: { c: '3' } };
    const updated = await server.call(`PATCH /v1/customers/${id}`, { body });
    expect(updated.body).toMatchObject({
      email: 'sam@example.com',
      firstName: 'Sam',
      lastName: 'Doe',
      lastUpdatedTimestamp: now + 5,
    });
    expect(updated.body.metadata).toEqual({ c: '3' });
    expect(await server.events()).toEqual([`Customer.created ${id}`, `Customer.updated ${id}`]);
  },
);

test('PATCH /customers/{customerId}: the default payment method is a stored one, and null removes it', async () => {
  const server = await customerServer();
  const [id, other] = [await server.create('sam@example.com'), await server.create('kim@example.com')];
  const [mine, once, theirs] = [
    await server.keep(id),
    await server.keep(id, { stored: false }),
    await server.keep(other),
  ];
  const setDefault = async (defaultPaymentMethod: string | null) => {
    const answer = await server.call(`PATCH /v1/customers/${id}`, { body: { defaultPaymentMethod } });
    return answer.status === 200 ? answer.body.defaultPaymentMethod : answer.status;
  };
  expect(await setDefault(mine)).toBe(mine);
  expect(await setDefault(once)).toBe(404);
  expect(await setDefault(theirs)).toBe(404);
  expect(await setDefault('pmt_01J9Z5WAF2V3W4X5Y6Z7A8B9C0')).toBe(404);
  expect(await setDefault('nonsense')).toBe(400);
  expect((await server.call(`GET /v1/customers/${id}`)).body.defaultPaymentMethod).toBe(mine);
  expect(await setDefault(null)).toBeUndefined();
});

test(
  'DELETE /customers/{customerId}: deletes the customer and all payment methods',
  { tags: ['spec:4.8/DELETE/customers/{customerId}', 'spec:4.8/delete-with-methods'] },
  async () => {
    const server = await customerServer();
    const id = await server.create('sam@example.com');
    const [kept, once] = [await server.keep(id), await server.keep(id, { stored: false })];
    const deleted = await server.call(`DELETE /v1/customers/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { id }]);
    for (const path of [
      `customers/${id}`,
      `customers/${id}/payment-methods`,
      `payment-methods/${kept}`,
      `payment-methods/${once}`,
    ]) {
      expect([path, (await server.call(`GET /v1/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await server.call(`DELETE /v1/customers/${id}`)).status).toBe(404);
    expect((await server.call('GET /v1/customers')).body.items).toEqual([]);
    expect(await server.events()).toEqual([`Customer.created ${id}`, `Customer.deleted ${id}`]);
  },
);

test('GET /customers: a pagination token stays valid when its customer is deleted', async () => {
  const server = await customerServer();
  const ids = [];
  for (const name of ['a', 'b', 'c']) ids.push(await server.create(`${name}@example.com`));
  await server.call(`DELETE /v1/customers/${ids[1]}`);
  const { body } = await server.call(`GET /v1/customers?startsAfter=${ids[1]}`);
  expect(body.items.map((item: { id: string }) => item.id)).toEqual([ids[0]]);
});

test('GET /customers/{customerId}: a customer of another account is not found', async () => {
  const server = await customerServer();
  const id = await server.create('sam@example.com');
  const headers = { account: server.subAccountId };
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const answer = await server.call(`${method} /v1/customers/${id}`, { headers, body: {} });
    expect([method, answer.status]).toEqual([method, 404]);
  }
  expect((await server.call('GET /v1/customers', { headers })).body.items).toEqual([]);
});

test('attempt-payment: finds the customer by e-mail address or creates one, and keeps known details', async () => {
  const server = await customerServer();
  const { services, platformId: accountId } = server;
  const ensure = (email: string, details = {}) =>
    services.store.transaction((tx) => ensureCustomer(tx, services, { accountId, email, details }));
  const made = await ensure('sam@example.com', { firstName: 'Sam' });
  const found = await ensure('Sam@Example.com', { firstName: 'Samuel' });
  expect(found).toMatchObject(made);
  expect(found.first_name).toBe('Sam');
  expect(await server.events()).toEqual([`Customer.created ${made.id}`]);
});
