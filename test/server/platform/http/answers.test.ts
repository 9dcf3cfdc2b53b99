import { expect, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import { Nullable, Timestamp, Type } from '../../../../protocol/schema.ts';
import { route, type Route } from '../../../../server/platform/http/route.ts';
import { smallServer } from './small-server.ts';

const Card = Type.Object({
  id: Type.String(),
  note: Nullable(Type.String()),
  seen: Type.Optional(Timestamp),
  holder: Type.Object({ name: Type.String() }),
});

const common = { tag: 'Card', summary: 'Card', section: 'Spec §7', reply: Card };
const card = { id: '1', note: null, holder: { name: 'Ana' } };
const failing = (error: unknown) => async () => Promise.reject(error);

const cardRoutes: readonly Route[] = [
  route({ ...common, operation: 'GET /card', handle: async () => card }),
  route({
    ...common,
    operation: 'GET /card/leaky',
    handle: async () => ({ ...card, pan: '4111111111111111', holder: { name: 'Ana', pin: '1234' } }),
  }),
  route({ ...common, operation: 'POST /card/capture', status: 202, handle: async () => card }),
  route({
    ...common,
    operation: 'GET /card/bug',
    query: Type.Object({ secret: Type.Optional(Type.String()) }),
    handle: failing(new TypeError('card is undefined')),
  }),
  route({
    ...common,
    operation: 'GET /card/full',
    handle: failing(new Fault('store', 'SQLite 13: database or disk is full')),
  }),
  route({
    ...common,
    operation: 'GET /card/broken',
    handle: failing(new Fault('internal', 'no such thing')),
  }),
  route({ ...common, operation: 'GET /card/text', handle: failing('thrown text') }),
  route({ ...common, operation: 'GET /card/nothing', handle: failing(undefined) }),
];

test('response: contains the declared fields and nothing else', async () => {
  const { call } = await smallServer(cardRoutes);
  const { status, text, headers } = await call('GET /v1/card/leaky');
  expect([status, text]).toEqual([200, '{"id":"1","note":null,"holder":{"name":"Ana"}}']);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
});

test('response: its length is in bytes, also of letters beyond ASCII', async () => {
  for (const name of ['José', 'Łukasz 山', 'Ana']) {
    const named = route({
      ...common,
      operation: 'GET /card',
      handle: async () => ({ ...card, holder: { name } }),
    });
    const { call } = await smallServer([named]);
    const { body, text, headers } = await call('GET /v1/card');
    expect([body.holder.name, headers['content-length']]).toEqual([name, String(Buffer.byteLength(text))]);
  }
});

test('response: success is 200, or 202 where a route says so', async () => {
  const { call } = await smallServer(cardRoutes);
  expect((await call('GET /v1/card')).status).toBe(200);
  expect((await call('POST /v1/card/capture')).status).toBe(202);
});

test.each(['bug', 'broken', 'text', 'nothing'])(
  'response: a fault (%s) is a 500 that says only where to look',
  async (which) => {
    const { call, logged } = await smallServer(cardRoutes);
    const { status, body } = await call(`GET /v1/card/${which}?secret=s3cret`);
    expect([status, body.code, body.errors]).toEqual([
      500,
      '500',
      [
        {
          code: 'unexpected_error',
          message: `an unexpected error occurred: see ${body.requestId} in the log of the server`,
        },
      ],
    ]);
    const line = logged.find((each) => each.includes(body.requestId));
    expect(line).toContain(`/v1/card/${which}`);
    expect(logged.join()).not.toContain('s3cret');
  },
);

test('response: the log says what the fault was', { tags: ['refusal:fault'] }, async () => {
  const { call, logged } = await smallServer(cardRoutes);
  await call('GET /v1/card/bug');
  expect(logged.join()).toContain('card is undefined');
});

test('response: names a store that cannot write', { tags: ['refusal:store_failed'] }, async () => {
  const { call, logged } = await smallServer(cardRoutes);
  const { status, body } = await call('GET /v1/card/full');
  expect([status, body.code, body.errors]).toEqual([
    503,
    '503',
    [
      {
        code: 'unexpected_error',
        message: 'the database cannot be written: SQLite 13: database or disk is full',
      },
    ],
  ]);
  expect(logged.join()).toContain(body.requestId);
});

test('requests: each finished request emits an activity, without its query', async () => {
  const { call, activities } = await smallServer(cardRoutes);
  await call('GET /v1/card?limit=5');
  await call('GET /v1/card', { headers: { authorization: null } });
  await call('DELETE /v1/card');
  await call('GET /v1/nowhere?token=1');
  await call('GET /v1/%ff');
  const requests = activities.filter((activity) => activity.kind === 'request');
  expect(requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    'GET /v1/card 200',
    'GET /v1/card 401',
    'DELETE /v1/card 405',
    'GET /v1/nowhere 404',
    'GET /v1/%ff 400',
  ]);
  for (const { elapsedMs } of requests) expect(elapsedMs).toBeGreaterThanOrEqual(0);
});
