import { expect, test } from 'vitest';
import { createCliFixture } from '../cli-fixture.ts';

const AT = Date.UTC(2026, 0, 5, 9, 30) / 1000;
const SUMMARY = {
  id: 'ev_1.wh_1',
  eventId: 'ev_1',
  eventType: 'Customer.created',
  objectId: 'cus_1',
  webhookId: 'wh_1',
  url: 'http://127.0.0.1:3000/hook',
  status: 'Retrying',
  attempts: 1,
  lastResult: '500',
  createdTimestamp: AT,
  nextAttemptTimestamp: AT + 60,
};
const attempt = (status: number, body = '') => ({
  number: 1,
  createdTimestamp: AT,
  elapsedMs: 12.4,
  sentAgain: false,
  headers: { Signature: '8cd6' },
  reply: { status, headers: { server: 'nginx\u001b[2J' }, body, isCut: false },
  problem: null,
});
const DELIVERY = {
  ...SUMMARY,
  body: '{"id":"ev_1"}',
  signature: { header: 'Signature', algorithm: 'HMAC-SHA256', value: '8cd6' },
  request: { id: 'req_1', method: 'POST', path: '/v1/customers', status: 200, whileItRan: true },
  attemptLog: [attempt(500, 'it\nbroke')],
};

test('webhooks health: prints how the latest deliveries of each endpoint went', async () => {
  const on = createCliFixture();
  const health = {
    deliveries: 3,
    delivered: 1,
    failed: 0,
    waiting: 2,
    failuresInRow: 2,
    lastSuccessTimestamp: AT,
    lastFailure: '503',
  };
  const items = [{ id: 'wh_1', url: 'http://127.0.0.1:3000/hook', active: true, eventTypes: [], health }];
  on.answer('GET /sandbox/webhooks', { status: 200, body: { items } });
  expect(await on.run('webhooks', 'health')).toBe(0);
  expect(on.out).toMatch(/wh_1 +1 of 3 +2 +2 +2026-01-05T09:30:00 +503 +http:\/\/127.0.0.1:3000\/hook\n$/);
});

test('webhooks deliveries: lists those that fit the filters, over as many pages as it takes', async () => {
  const on = createCliFixture();
  const page = (count: number, paginationToken: string | null) => ({
    status: 200,
    body: { items: Array.from({ length: count }, () => SUMMARY), paginationToken },
  });
  on.answer('GET /sandbox/deliveries', page(50, 'ev_1.wh_1'), page(10, null));
  expect(
    await on.run('webhooks', 'deliveries', '--status', 'Retrying', '--object', 'cus_1', '--limit', '60'),
  ).toBe(0);
  expect(on.requests.map(({ path }) => path)).toEqual([
    '/sandbox/deliveries?status=Retrying&object=cus_1&limit=50',
    '/sandbox/deliveries?status=Retrying&object=cus_1&limit=10&startsAfter=ev_1.wh_1',
  ]);
  const [, row] = on.out.split('\n');
  expect(row).toMatch(/^2026-01-05T09:30:00 +Customer.created +cus_1 +Retrying, 1 attempt +500 +ev_1.wh_1$/);
  expect(on.out.trimEnd().split('\n')).toHaveLength(61);
});

test('webhooks deliveries: prints one with its body, its signature, its request and its attempts', async () => {
  const on = createCliFixture();
  on.answer('GET /sandbox/deliveries/ev_1.wh_1', { status: 200, body: DELIVERY });
  expect(await on.run('webhooks', 'deliveries', 'ev_1.wh_1')).toBe(0);
  expect(on.out.split('\n')).toEqual([
    'Customer.created  http://127.0.0.1:3000/hook',
    'Status     Retrying, 1 attempt, next at 2026-01-05T09:31:00',
    'Request    POST /v1/customers  req_1',
    'Signature  8cd6',
    '           HMAC-SHA256 of the body in hex, with the secret of the endpoint, in Signature',
    '',
    '{"id":"ev_1"}',
    '',
    'Attempt 1  2026-01-05T09:30:00  500  12.4 ms',
    '  > Signature: 8cd6',
    '  < server: nginx·[2J',
    '  it',
    '  broke',
    '',
  ]);
});

test('webhooks send: sends one after the other in the order given, and fails when one is not acknowledged', async () => {
  const on = createCliFixture();
  const sent = (status: number) => ({ status: 200, body: { ...DELIVERY, attemptLog: [attempt(status)] } });
  on.answer('POST /sandbox/deliveries/ev_2.wh_1/send', sent(200));
  on.answer('POST /sandbox/deliveries/ev_1.wh_1/send', sent(500), sent(204));
  expect(await on.run('webhooks', 'send', 'ev_2.wh_1,ev_1.wh_1')).toBe(1);
  expect(on.requests.map(({ path }) => path)).toEqual([
    '/sandbox/deliveries/ev_2.wh_1/send',
    '/sandbox/deliveries/ev_1.wh_1/send',
  ]);
  expect(on.out.split('\n')[1]).toBe('Customer.created  cus_1  500  12.4 ms  http://127.0.0.1:3000/hook');
  expect(await on.run('webhooks', 'send', 'ev_1.wh_1')).toBe(0);
});
