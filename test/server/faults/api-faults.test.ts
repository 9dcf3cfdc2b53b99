import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FaultPlan } from '../../../server/platform/faults/fault-plan.schema.ts';
import type { Api } from '../../../testing/world/api.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
let api: Api;

beforeEach(async () => {
  world = await startWorld({ settings: { idempotencyKeys: 'on' } });
  api = world.api;
});
afterEach(() => world.close());

const CREATE = 'POST /v1/customers';
const CUSTOMER = { email: 'ana@corner.example' };

const create = (headers = {}) =>
  api.raw('POST', '/v1/customers', JSON.stringify(CUSTOMER), {
    'content-type': 'application/json',
    ...headers,
  });
const customers = async () => (await api.get('/v1/customers')).body.items.length as number;

/** Puts one fault on the sandbox and returns the id of its plan. */
async function put(fault: object, plan = {}): Promise<string> {
  const { status, body } = await api.post('/sandbox/faults', { faults: [fault], ...plan });
  expect([status, body.status]).toEqual([200, 'Active']);
  return body.id;
}

const planOf = async (id: string) => (await api.get(`/sandbox/faults/${id}`)).body;

test('faults of the API: a reply that is reset leaves the customer created, and the plan tells that it struck', async () => {
  const id = await put({ at: 'api.reply', what: 'reset', when: { operation: CREATE } });
  await expect(create()).rejects.toThrow('response destroyed before completion');
  expect(await customers()).toBe(1);
  expect(await planOf(id)).toMatchObject({
    status: 'Ended',
    struck: 1,
    strikes: [
      { fault: 0, occurrence: 1, what: 'reset', subject: CREATE, ids: [expect.stringMatching(/^cus_/)] },
    ],
  });
});

test('faults of the API: a request that is reset does nothing, and works when it is sent again', async () => {
  await put({ at: 'api.request', what: 'reset', when: { operation: CREATE } });
  await expect(create()).rejects.toThrow('response destroyed before completion');
  expect(await customers()).toBe(0);
  expect((await create()).status).toBe(200);
});

test.each([
  ['rate-limited', 429, 'too_many_requests'],
  ['unavailable', 503, 'unexpected_error'],
] as const)(
  'faults of the API: a request that is %s is refused as often as the plan says',
  { tags: ['refusal:fault_unavailable'] },
  async (what, status, code) => {
    await put({ at: 'api.request', what, when: { operation: CREATE, times: 2 } });
    for (const answer of [await create(), await create()]) {
      expect(answer).toMatchObject({ status, body: { code: String(status), errors: [{ code }] } });
    }
    expect((await create()).status).toBe(200);
    expect(await customers()).toBe(1);
  },
);

test.each(['api.request', 'api.reply'])('faults of the API: a delay at %s lasts for its time', async (at) => {
  await put({ at, what: 'delay', delayMs: 30_000, when: { operation: CREATE } });
  let isAnswered = false;
  const answering = create().finally(() => (isAnswered = true));
  await world.advance({ ms: 29_999 });
  expect(isAnswered).toBe(false);
  expect(await customers()).toBe(at === 'api.reply' ? 1 : 0);
  await world.advance({ ms: 1 });
  expect((await answering).status).toBe(200);
});

test.each(['api.request', 'api.reply'])(
  'faults of the API: a call that waits at %s is closed when its server is stopped',
  async (at) => {
    await put({ at, what: 'delay', delayMs: 30_000, when: { operation: CREATE } });
    const answering = create().then(
      () => 'answered',
      () => 'closed',
    );
    await world.settled();
    await world.restartServer();
    expect(await answering).toBe('closed');
    expect(await customers()).toBe(at === 'api.reply' ? 1 : 0);
  },
);

test('faults of the API: a request without a reply is closed after its time', async () => {
  await put({ at: 'api.reply', what: 'no-reply', delayMs: 30_000, when: { operation: CREATE } });
  const answering = create().then(
    () => 'answered',
    () => 'closed',
  );
  await world.advance({ ms: 30_000 });
  expect(await answering).toBe('closed');
  expect(await customers()).toBe(1);
});

test('faults of the API: with an idempotency key, where these work, what is sent again after a lost reply gets the first reply', async () => {
  await put({ at: 'api.reply', what: 'reset', when: { operation: CREATE } });
  const key = { 'idempotency-key': 'order-7' };
  await expect(create(key)).rejects.toThrow('response destroyed before completion');
  const again = await create(key);
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(await customers()).toBe(1);
});

test('faults of the API: nth, times and id choose which requests are struck', async () => {
  const { id: first } = (await create()).body;
  const { id: other } = (await api.post('/v1/customers', { email: 'bo@corner.example' })).body;
  const when = { operation: 'GET /v1/customers/{customerId}', id: first, nth: 2, times: 2 };
  await put({ at: 'api.request', what: 'unavailable', when });
  const statuses = async (id: string, count: number) => {
    const answers = [];
    for (let n = 0; n < count; n += 1) answers.push((await api.get(`/v1/customers/${id}`)).status);
    return answers;
  };
  expect(await statuses(other, 4)).toEqual([200, 200, 200, 200]);
  expect(await statuses(first, 5)).toEqual([200, 503, 503, 200, 200]);
});

test('faults of the API: percent strikes the same requests for the same seed, and others for another', async () => {
  const struckBy = async (seed: string) => {
    const when = { operation: 'GET /v1/customers', percent: 50, times: 1_000 };
    const id = await put({ at: 'api.request', what: 'unavailable', when }, { seed });
    const statuses = [];
    for (let n = 0; n < 40; n += 1) statuses.push((await api.get('/v1/customers')).status);
    await api.delete(`/sandbox/faults/${id}`);
    return statuses;
  };
  const once = await struckBy('one');
  expect(once.filter((status) => status === 503).length).toBeGreaterThan(5);
  expect(once.filter((status) => status === 200).length).toBeGreaterThan(5);
  expect(await struckBy('one')).toEqual(once);
  expect(await struckBy('two')).not.toEqual(once);
});

test('faults of the API: a card number in a path is not in what struck', async () => {
  const id = await put({ at: 'api.request', what: 'unavailable' });
  await api.get('/v1/customers/4242424242424242');
  expect((await planOf(id)).strikes[0].ids).toEqual(['************4242']);
});

test('faults of the API: calls of the sandbox itself are never struck', async () => {
  const id = await put({ at: 'api.request', what: 'reset' });
  expect((await api.get('/sandbox/clock')).status).toBe(200);
  expect((await api.delete(`/sandbox/faults/${id}`)).status).toBe(200);
  expect((await create()).status).toBe(200);
});

test('faults of the API: a fault that does not exist is refused by its name', async () => {
  const { status, body } = await api.post('/sandbox/faults', {
    faults: [{ at: 'api.reply', what: 'twice' }],
  });
  expect([status, body.errors[0].message]).toEqual([
    400,
    expect.stringContaining('faults.0.what must be one of'),
  ]);
});

test(
  'faults of the API: a sandbox holds a hundred plans, and one more once one is deleted',
  { tags: ['refusal:too_many_fault_plans'] },
  async () => {
    const fault = { at: 'api.reply', what: 'reset', when: { operation: CREATE, nth: 1_000 } };
    const ids = [];
    for (let n = 0; n < 100; n += 1) ids.push(await put(fault));
    const answer = await api.post('/sandbox/faults', { faults: [fault] });
    expect([answer.status, answer.body.errors[0].message]).toEqual([
      409,
      'there are 100 plans of faults: delete one first',
    ]);
    await api.delete(`/sandbox/faults/${ids[0]}`);
    await put(fault);
    expect((await api.get('/sandbox/faults')).body.items).toHaveLength(100);
  },
);

test('faults of the API: strikes are listed after one, of a plan or of all, or not at all', async () => {
  const first = await put({ at: 'api.request', what: 'unavailable', when: { operation: CREATE, times: 3 } });
  const LIST = 'GET /v1/customers';
  const second = await put({ at: 'api.request', what: 'rate-limited', when: { operation: LIST, times: 2 } });
  for (const method of ['POST', 'GET', 'POST', 'GET', 'POST'])
    await (method === 'POST' ? create() : api.get('/v1/customers'));
  const listed = async (query: string) => {
    const { items } = (await api.get(`/sandbox/faults?${query}`)).body;
    return items.map(({ id, struck, strikes }: FaultPlan) => [
      id,
      struck,
      strikes.map(({ number }) => number),
    ]);
  };
  const all = [
    [first, 3, [1, 3, 5]],
    [second, 2, [2, 4]],
  ];
  expect(await listed('')).toEqual(all);
  expect(await listed('strikesAfter=0')).toEqual(all);
  expect(await listed('strikes=0')).toEqual([
    [first, 3, []],
    [second, 2, []],
  ]);
  expect(await listed('strikes=1')).toEqual([
    [first, 3, [5]],
    [second, 2, [4]],
  ]);
  expect(await listed('strikesAfter=2&strikes=2')).toEqual([
    [first, 3, [3]],
    [second, 2, [4]],
  ]);
  const { body } = await api.get(`/sandbox/faults/${first}?strikesAfter=1&strikes=1`);
  expect([body.struck, body.strikes]).toMatchObject([3, [{ number: 3, occurrence: 2 }]]);
  expect((await api.get('/sandbox/faults?strikes=1001')).status).toBe(400);
});
