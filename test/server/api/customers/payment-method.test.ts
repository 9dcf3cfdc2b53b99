import { expect, test } from 'vitest';
import { findCardToken, storeCardToken } from '../../../../server/api/customers/card-tokens.ts';
import { START_MS } from '../../platform/http/small-server.ts';
import { CARD, customerServer } from './customer-server.ts';

const ADDRESS = {
  lineOne: '1 High Street',
  lineTwo: 'Flat 2',
  city: 'Leeds',
  country: 'GB',
  postalCode: 'LS1 1AA',
};

test(
  'GET /payment-methods/{paymentMethodId}: returns a stored card without its number',
  { tags: ['spec:4.8/GET/payment-methods/{paymentMethodId}'] },
  async () => {
    const server = await customerServer();
    const customerId = await server.create('sam@example.com');
    const id = await server.keep(customerId, { billingAddress: ADDRESS });
    const { status, body } = await server.call(`GET /v1/payment-methods/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      type: 'Card',
      card: { scheme: 'Visa', last4: '0085', expiryMonth: '10', expiryYear: '2030' },
      billingAddress: ADDRESS,
      checks: { avsResponseCode: 'Y', cvvResponseCode: 'M' },
      customerId,
      createdTimestamp: START_MS / 1000,
    });
  },
);

test(
  'GET /customers/{customerId}/payment-methods: returns stored cards, not single-use tokens',
  { tags: ['spec:4.8/GET/customers/{customerId}/payment-methods'] },
  async () => {
    const server = await customerServer();
    const customerId = await server.create('sam@example.com');
    const [first, once, second] = [
      await server.keep(customerId),
      await server.keep(customerId, { stored: false }),
      await server.keep(customerId),
    ];
    const { body } = await server.call(`GET /v1/customers/${customerId}/payment-methods`);
    expect(body.items.map((item: { id: string }) => item.id)).toEqual([second, first]);
    expect(body.paginationToken).toBeNull();
    expect((await server.call(`GET /v1/payment-methods/${once}`)).body.id).toBe(once);
  },
);

test(
  'PATCH /payment-methods/{paymentMethodId}: replaces the whole address',
  { tags: ['spec:4.8/PATCH/payment-methods/{paymentMethodId}'] },
  async () => {
    const server = await customerServer();
    const id = await server.keep(await server.create('sam@example.com'), { billingAddress: ADDRESS });
    const path = `/v1/payment-methods/${id}`;
    const billingAddress = { country: 'US', postalCode: '10001', lineOne: null };
    const { body } = await server.call(`PATCH ${path}`, { body: { billingAddress } });
    expect(body.billingAddress).toEqual({ country: 'US', postalCode: '10001' });
    expect((await server.call(`GET ${path}`)).body).toEqual(body);
  },
);

test.each([
  ['nothing', {}, /^billingAddress is required/],
  ['no country', { billingAddress: { postalCode: '10001' } }, /^billingAddress\.country is required/],
  ['no postal code', { billingAddress: { country: 'US' } }, /^billingAddress\.postalCode is required/],
  [
    'a country by its name',
    { billingAddress: { country: 'France', postalCode: '1' } },
    /^billingAddress\.country /,
  ],
])('PATCH /payment-methods/{paymentMethodId}: refuses %s', async (_what, body, message) => {
  const server = await customerServer();
  const id = await server.keep(await server.create('sam@example.com'));
  const answer = await server.call(`PATCH /v1/payment-methods/${id}`, { body });
  expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_field']);
  expect(answer.body.errors[0].message).toMatch(message);
});

test(
  'DELETE /payment-methods/{paymentMethodId}: refuses a single-use payment method',
  { tags: ['spec:4.8/DELETE/payment-methods/{paymentMethodId}', 'spec:4.8/single-use-kept'] },
  async () => {
    const server = await customerServer();
    const customerId = await server.create('sam@example.com');
    const [kept, once] = [await server.keep(customerId), await server.keep(customerId, { stored: false })];
    const refused = await server.call(`DELETE /v1/payment-methods/${once}`);
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'bad_request']);
    const deleted = await server.call(`DELETE /v1/payment-methods/${kept}`);
    expect([deleted.status, deleted.body]).toEqual([200, { id: kept }]);
    expect((await server.call(`GET /v1/payment-methods/${kept}`)).status).toBe(404);
    expect((await server.call(`GET /v1/payment-methods/${once}`)).status).toBe(200);
  },
);

test('DELETE /payment-methods/{paymentMethodId}: clears the default payment method of the customer', async () => {
  const server = await customerServer();
  const customerId = await server.create('sam@example.com');
  const [card, other] = [await server.keep(customerId), await server.keep(customerId)];
  await server.call(`PATCH /v1/customers/${customerId}`, { body: { defaultPaymentMethod: card } });
  await server.call(`DELETE /v1/payment-methods/${other}`);
  expect((await server.call(`GET /v1/customers/${customerId}`)).body.defaultPaymentMethod).toBe(card);
  await server.call(`DELETE /v1/payment-methods/${card}`);
  expect((await server.call(`GET /v1/customers/${customerId}`)).body.defaultPaymentMethod).toBeUndefined();
  expect(await server.events()).toEqual([
    `Customer.created ${customerId}`,
    `Customer.updated ${customerId}`,
    `Customer.updated ${customerId}`,
  ]);
});

test('GET /payment-methods/{paymentMethodId}: a card of another account is not found', async () => {
  const server = await customerServer();
  const id = await server.keep(await server.create('sam@example.com'));
  const headers = { account: server.subAccountId };
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const answer = await server.call(`${method} /v1/payment-methods/${id}`, { headers, body: {} });
    expect([method, answer.status]).toEqual([method, 404]);
  }
});

test('payment method: a single-use token becomes a stored card of one customer on agreement', async () => {
  const server = await customerServer();
  const { services, platformId: accountId } = server;
  const [sam, kim] = [await server.create('sam@example.com'), await server.create('kim@example.com')];
  const id = await server.keep(sam, { stored: false });
  const store = (customerId: string) =>
    services.store.transaction((tx) =>
      storeCardToken(tx, services, { accountId, paymentMethodId: id, customerId }),
    );
  expect(await findCardToken(services.store, accountId, id)).toMatchObject({ stored: false });
  await store(sam);
  await store(kim);
  expect(await findCardToken(services.store, accountId, id)).toEqual({
    ...CARD,
    id,
    customerId: sam,
    stored: true,
    checks: { avsResponseCode: 'Y', cvvResponseCode: 'M' },
  });
});
