import type { Json } from '../http-call.ts';
import type { Deviation, Reply } from '../deviating-server.ts';

const refused = (reply: Reply, status: number, code: string, message: string) => {
  reply.status = status;
  reply.body = { requestId: crypto.randomUUID(), code: String(status), errors: [{ code, message }] };
};

/** Answers as the same request was answered before, when it is refused now. */
const acceptAgain = (reply: Reply, memory: Map<string, Json>) => {
  const before = memory.get('reply');
  if (reply.status < 300) memory.set('reply', { status: reply.status, body: structuredClone(reply.body) });
  else Object.assign(reply, before);
};

/** Servers that refuse otherwise, or something else. */
export const REFUSAL_DEVIATIONS: Deviation[] = [
  {
    name: 'success is 201',
    area: 'customers',
    scenarios: 'customers/update,customers/delete',
    at: 'POST /customers',
    reply: (reply) => (reply.status = 201),
    differs: { 'customers/update 0 status': 'fact', 'customers/delete 0 status': 'fact' },
  },
  {
    name: 'a capture is 200',
    area: 'payments',
    scenarios: 'payments/capture-in-parts,payments/transactions',
    at: 'POST /payment-sessions/{id}/captures',
    reply: (reply) => (reply.status = 200),
    differs: {
      'payments/capture-in-parts 2 status': 'fact',
      'payments/capture-in-parts 4 status': 'fact',
      'payments/transactions 2 status': 'fact',
      'payments/transactions 3 status': 'fact',
    },
  },
  {
    name: 'a deletion returns nothing',
    area: 'in-person',
    scenarios: 'in-person/location',
    at: 'DELETE /in-person/locations/{id}',
    reply(reply) {
      reply.status = 204;
      reply.body = undefined;
    },
    differs: { '2 status': 'fact' },
  },
  {
    name: 'a deletion is 200 and returns nothing',
    area: 'in-person',
    scenarios: 'in-person/location',
    at: 'DELETE /in-person/locations/{id}',
    reply: (reply) => (reply.body = undefined),
    differs: { '2 missing': 'rule' },
  },
  {
    name: '403 where nothing is found',
    area: 'payments',
    scenarios: 'payments/read-unknown',
    at: 'GET /payment-sessions/{id}',
    reply: (reply) => refused(reply, 403, 'forbidden', 'no access to this payment session'),
    differs: { '0 status': 'choice' },
  },
  {
    name: 'another status, with the same code of the error',
    area: 'api',
    scenarios: 'api/unknown-path',
    at: 'GET /nothing',
    reply(reply) {
      reply.status = 410;
      reply.body.code = '410';
    },
    differs: { '0 status': 'choice' },
  },
  {
    name: '422 where a value is wrong',
    area: 'payments',
    scenarios: 'payments/email-malformed,payments/amount-missing',
    at: 'POST /payment-sessions',
    reply(reply) {
      reply.status = 422;
      reply.body.code = '422';
    },
    differs: { 'payments/email-malformed 0 status': 'fact', 'payments/amount-missing 0 status': 'fact' },
  },
  {
    name: '401 where a key is wrong',
    area: 'api',
    scenarios: 'api/wrong-key',
    at: 'GET /customers',
    reply(reply) {
      if (reply.status === 403) refused(reply, 401, 'unauthorized', 'the key is not valid');
    },
    differs: { '0 status': 'choice' },
  },
  {
    name: 'an error has another code',
    area: 'payments',
    scenarios: 'payments/read-unknown',
    at: 'GET /payment-sessions/{id}',
    reply: ({ body }) => (body.errors[0].code = 'resource_missing'),
    differs: { '0 code errors.*.code': 'choice' },
  },
  {
    name: 'an error has another body',
    area: 'api',
    scenarios: 'api/no-key',
    at: 'GET /customers',
    reply(reply) {
      if (reply.status === 401) reply.body = { error: { type: 'auth', message: 'a key is needed' } };
    },
    differs: {
      '0 missing requestId': 'choice',
      '0 missing code': 'choice',
      '0 missing errors': 'choice',
      '0 added error': 'new',
    },
  },
  {
    name: 'an error has no id of the request',
    area: 'api',
    scenarios: 'api/wrong-method',
    at: 'DELETE /customers',
    reply: ({ body }) => delete body.requestId,
    differs: { '0 missing requestId': 'choice' },
  },
  {
    name: 'an error names no field',
    area: 'payments',
    scenarios: 'payments/email-malformed',
    at: 'POST /payment-sessions',
    reply: ({ body }) => (body.errors[0].message = 'the request is not valid'),
    differs: { '0 fields errors.*.message': 'rule' },
  },
  {
    name: 'an error names another field',
    area: 'payments',
    scenarios: 'payments/amount-missing',
    at: 'POST /payment-sessions',
    reply: ({ body }) => (body.errors[0].message = 'currency is required'),
    differs: { '0 fields errors.*.message': 'rule' },
  },
  {
    name: 'a fault of the server',
    area: 'payments',
    scenarios: 'payments/void',
    at: 'POST /payment-sessions/{id}/voids',
    reply: (reply) => refused(reply, 500, 'unexpected_error', 'something went wrong'),
    differs: { '2 status': 'rule' },
  },
  {
    name: 'a page of a proxy in place of JSON',
    area: 'payments',
    scenarios: 'payments/void',
    at: 'POST /payment-sessions/{id}/voids',
    reply: (reply) =>
      Object.assign(reply, { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    differs: {},
    notShown: '502',
  },
  {
    name: 'what is right is refused',
    area: 'payments',
    scenarios: 'payments/metadata',
    at: 'PATCH /payment-sessions/{id}',
    reply: (reply) => refused(reply, 400, 'bad_request', 'metadata cannot change'),
    differs: { '1 status': 'rule' },
  },
  {
    name: 'more is refunded than was paid',
    area: 'payments',
    scenarios: 'payments/refund-too-much',
    at: 'POST /payment-sessions/{id}/refunds',
    reply: (reply) => Object.assign(reply, { status: 202, body: { status: 'Pending' } }),
    differs: { '2 status': 'rule' },
  },
  {
    name: 'a refund is accepted when nothing is left',
    area: 'payments',
    scenarios: 'payments/refund',
    at: 'POST /payment-sessions/{id}/refunds',
    reply: (reply, _asked, memory) => acceptAgain(reply, memory),
    differs: { '6 status': 'rule' },
  },
  {
    name: 'a payment is accepted twice',
    area: 'payments',
    scenarios: 'payments/attempt-twice',
    at: 'POST /payment-sessions/attempt-payment',
    reply: (reply, _asked, memory) => acceptAgain(reply, memory),
    differs: { '2 status': 'rule' },
  },
  {
    name: 'a paid session can be changed',
    area: 'payments',
    scenarios: 'payments/update-after-payment',
    at: 'PATCH /payment-sessions/{id}',
    reply: (reply) => Object.assign(reply, { status: 200, body: { status: 'Captured' } }),
    differs: { '2 status': 'rule' },
  },
  {
    name: 'a deleted endpoint is still there',
    area: 'webhooks',
    scenarios: 'webhooks/delete',
    at: 'GET /webhooks/{id}',
    reply: (reply) => Object.assign(reply, { status: 200, body: { id: 'wh_1' } }),
    differs: { '2 status': 'rule' },
  },
  {
    name: 'a second contact is accepted',
    area: 'persons',
    scenarios: 'persons/second-contact',
    at: 'POST /accounts/{id}/persons',
    reply: (reply, _asked, memory) => acceptAgain(reply, memory),
    differs: { '1 status': 'rule' },
  },
  {
    name: 'a cancelled subscription can be changed',
    area: 'subscriptions',
    scenarios: 'subscriptions/cancel',
    at: 'PATCH /subscriptions/{id}',
    reply: (reply) => Object.assign(reply, { status: 200, body: { status: 'Cancelled' } }),
    differs: { '3 status': 'rule' },
  },
  {
    name: 'the public key reads customers',
    area: 'payments',
    scenarios: 'payments/read-with-client-secret',
    at: 'GET /customers',
    reply: (reply) => Object.assign(reply, { status: 200, body: { items: [], paginationToken: null } }),
    differs: { '3 status': 'rule' },
  },
  {
    name: 'the Account header is ignored',
    area: 'in-person',
    scenarios: 'in-person/location-of-sub-account',
    at: 'GET /in-person/locations/{id}',
    ask: ({ headers }) => delete headers.account,
    differs: { '1 status': 'rule' },
  },
  {
    name: 'the object of a sub account is visible without the Account header',
    area: 'payments',
    scenarios: 'api/account-header',
    at: 'GET /payment-sessions/{id}',
    ask({ headers }, memory) {
      headers.account ??= memory.get('account');
      memory.set('account', headers.account);
    },
    differs: { '2 status': 'rule' },
  },
  {
    name: 'an account of somebody else is accepted',
    area: 'api',
    scenarios: 'api/account-of-another',
    at: 'GET /payment-sessions',
    ask: ({ headers }) => delete headers.account,
    differs: { '0 status': 'rule' },
  },
  {
    name: 'a malformed account is accepted',
    area: 'api',
    scenarios: 'api/account-malformed',
    at: 'GET /payment-sessions',
    ask: ({ headers }) => delete headers.account,
    differs: { '0 status': 'rule' },
  },
  {
    name: 'an idempotency key works',
    area: 'api',
    scenarios: 'api/idempotency-key',
    at: 'POST /payment-sessions',
    reply(reply, { headers }, memory) {
      const key = String(headers['idempotency-key']);
      reply.body = structuredClone(memory.get(key) ?? reply.body);
      memory.set(key, reply.body);
    },
    differs: {
      '1 identity id': 'choice',
      '1 identity clientSecret': 'choice',
      '2 identity id': 'choice',
      '2 identity clientSecret': 'choice',
    },
  },
  {
    name: 'a refusal has two errors',
    area: 'payments',
    scenarios: 'payments/amount-missing',
    at: 'POST /payment-sessions',
    reply: ({ body }) => body.errors.push({ code: 'invalid_field', message: 'currency is required' }),
    differs: { '0 count errors': 'fact' },
  },
  {
    name: 'a wrong key is accepted',
    area: 'api',
    scenarios: 'api/wrong-key',
    at: 'GET /customers',
    reply: (reply) => Object.assign(reply, { status: 200, body: { items: [], paginationToken: null } }),
    differs: { '0 status': 'rule' },
  },
  {
    name: 'a request without a key is accepted',
    area: 'api',
    scenarios: 'api/no-key',
    at: 'GET /customers',
    reply: (reply) => Object.assign(reply, { status: 200, body: { items: [], paginationToken: null } }),
    differs: { '0 status': 'rule' },
  },
];
