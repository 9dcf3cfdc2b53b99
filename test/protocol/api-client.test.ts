import { expect, test } from 'vitest';
import type { ApiReply, Transport } from '../../protocol/api-call.ts';
import {
  requestOf,
  sendCall,
  type Arguments,
  type Item,
  type Operation,
  type Reply,
} from '../../protocol/api-client.ts';

const caller = { secretKey: 'sk_sandbox_1' };

function transportWith(reply: Partial<ApiReply>) {
  const sent: Parameters<Transport>[0][] = [];
  const carry: Transport = async (request) => {
    sent.push(request);
    return { status: 200, headers: {}, text: '{}', ...reply };
  };
  return { sent, carry };
}

test('requestOf: fills in parameters of the path and adds the query, without what is undefined', () => {
  expect(
    requestOf('GET /sandboxes/{name}/snapshots/{id}', {
      params: { name: 'a/b', id: 'é' },
      query: { limit: 5, startsAfter: undefined, ascending: true, currency: ['GBP', 'EUR'] },
    }),
  ).toEqual({
    method: 'GET',
    path: '/sandboxes/a%2Fb/snapshots/%C3%A9?limit=5&ascending=true&currency=GBP&currency=EUR',
    body: undefined,
  });
});

test('sendCall: sends key, account and body, and reads the reply', async () => {
  const { sent, carry } = transportWith({ text: '{"id":"cus_1"}' });
  const answer = await sendCall(carry, { ...caller, account: 'ac_1' }, 'POST /v1/customers', {
    body: { email: 'ana@corner.example' },
    idempotencyKey: 'one',
  });
  expect(answer).toMatchObject({ ok: true, status: 200, body: { id: 'cus_1' } });
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/v1/customers',
      headers: {
        authorization: 'sk_sandbox_1',
        account: 'ac_1',
        'content-type': 'application/json',
        'idempotency-key': 'one',
      },
      body: '{"email":"ana@corner.example"}',
    },
  ]);
});

test('sendCall: a reply that is no success, or is not JSON, is not ok', async () => {
  const answerTo = (reply: Partial<ApiReply>) => sendCall(transportWith(reply).carry, caller, 'GET /healthz');
  expect(await answerTo({ status: 404, text: '{"code":"404"}' })).toMatchObject({
    ok: false,
    body: { code: '404' },
  });
  expect(await answerTo({ text: '<html>' })).toMatchObject({ ok: false, status: 200, body: undefined });
});

/** Stands for any client: what it is given is checked by the compiler, and nothing is sent. */
function call<O extends Operation>(_operation: O, ..._given: Arguments<O, { signal?: AbortSignal }>): void {}

test('Arguments: what an operation does not have does not compile', () => {
  call('GET /v1/customers');
  call('GET /v1/customers', { query: { limit: 5 } });
  call('POST /v1/customers', { body: { email: 'ana@corner.example' } });
  // @ts-expect-error -- no such path
  call('GET /v1/clients');
  // @ts-expect-error -- no such method of the path
  call('DELETE /v1/customers');
  // @ts-expect-error -- the body has no such property
  call('POST /v1/customers', { body: { email: 'ana@corner.example', shoeSize: 41 } });
  // @ts-expect-error -- the body is required
  call('POST /v1/payment-sessions');
  // @ts-expect-error -- the query has no such parameter
  call('GET /v1/customers', { query: { limits: 5 } });
  // @ts-expect-error -- the path has another parameter
  call('GET /v1/customers/{customerId}', { params: { id: 'cus_1' } });
  // @ts-expect-error -- the operation takes no body
  call('GET /sandbox/clock', { body: {} });
});

test('Reply: a property that the reply does not have does not compile', () => {
  const email = (customer: Reply<'GET /v1/customers/{customerId}'>) => customer.email;
  // @ts-expect-error -- the reply has no such property
  const shoeSize = (customer: Item<'GET /v1/customers'>) => customer.shoeSize as unknown;
  expect([email, shoeSize]).toHaveLength(2);
});

test('API client: a call without a parameter of its path is refused, since that path is of another operation', () => {
  expect(() => requestOf('GET /v1/customers/{customerId}', {})).toThrow(
    'GET /v1/customers/{customerId} is called without customerId',
  );
});
