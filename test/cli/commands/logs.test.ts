import { expect, test } from 'vitest';
import { createCliFixture, refusal } from '../cli-fixture.ts';

function request(number: number, members: object = {}) {
  return {
    id: `req_${number}`,
    method: 'POST',
    path: '/v1/customers',
    status: 200,
    createdTimestamp: 1_767_603_600,
    receivedTimestamp: 1_767_603_600,
    elapsedMs: 3.25,
    keyLastFour: '4Zq9',
    accountId: null,
    requestId: null,
    operation: 'POST /customers',
    refusal: null,
    idempotencyKey: null,
    objectIds: [],
    ...members,
  };
}

const page = (...items: unknown[]) => ({ status: 200, body: { items, paginationToken: null } });

test('logs: prints the latest requests, oldest first, with --once', async () => {
  const on = createCliFixture();
  const refused = request(2, { status: 404, refusal: 'not_found', elapsedMs: 41.7 });
  const closed = request(1, { status: null, keyLastFour: null, idempotencyKey: 'ignored' });
  on.answer('GET /sandbox/requests', page(refused, closed));
  expect(await on.run('logs', '--once', '--status', '4xx', '--path', '/v1/c')).toBe(0);
  expect(on.out.split('\n').map((line) => line.slice(10))).toEqual([
    '-    POST   /v1/customers  3.3 ms  Idempotency-Key ignored  req_1',
    '404  POST   /v1/customers  42 ms  not_found  key …4Zq9  req_2',
    '',
  ]);
  expect(on.requests.map(({ path }) => path)).toEqual([
    '/sandbox/requests?status=4xx&path=%2Fv1%2Fc&limit=10',
  ]);
});

test('logs: prints one request whole by its id', async () => {
  const on = createCliFixture();
  const whole = request(7, { body: { amount: 1742 }, reply: { id: 'ps_1' } });
  on.answer('GET /sandbox/requests/req_7', { status: 200, body: whole });
  expect(await on.run('logs', 'req_7')).toBe(0);
  expect(JSON.parse(on.out)).toEqual(whole);
});

test('logs: prints each request as it arrives, until it is interrupted', async () => {
  const on = createCliFixture();
  on.answer('GET /sandbox/requests', page(request(1)), page(request(2)), page());
  const running = on.run('logs', '--json');
  while (on.requests.length < 3) await on.clock.advance(500);
  on.interrupt();
  expect(await running).toBe(0);
  const printed = on.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(printed).toEqual(['req_1', 'req_2']);
  expect(on.requests[2]!.path).toBe('/sandbox/requests?ascending=true&limit=50&startsAfter=req_2');
});

test('logs: goes on with the oldest request when the last one was deleted', async () => {
  const on = createCliFixture();
  on.answer('GET /sandbox/requests', page(request(1)), refusal(400, 'unknown'), page(request(9)), page());
  const running = on.run('logs');
  while (on.requests.length < 4) await on.clock.advance(500);
  on.interrupt();
  expect(await running).toBe(0);
  expect(on.out).toContain('req_9');
  expect(on.requests[2]!.path).toBe('/sandbox/requests?ascending=true&limit=50');
});

test('logs: says why the server has no requests', async () => {
  const on = createCliFixture();
  on.answer('GET /sandbox/requests', refusal(409, 'the server stores no requests'));
  expect(await on.run('logs', '--once')).toBe(1);
  expect(on.err).toContain('the server stores no requests');
});
