import { expect, test } from 'vitest';
import { Type } from '../../../../protocol/schema.ts';
import { PageQuery } from '../../../../server/platform/http/paging.schema.ts';
import { route, type Route } from '../../../../server/platform/http/route.ts';
import { smallServer } from './small-server.ts';

/** Answers the query as the handler was given it. */
const Query = Type.Object({
  ...PageQuery.properties,
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  kinds: Type.Optional(Type.Array(Type.String())),
});

const listRoutes: readonly Route[] = [
  route({
    operation: 'GET /list',
    tag: 'List',
    summary: 'List',
    section: 'Spec §8',
    query: Query,
    reply: Type.Object({ query: Type.Unknown() }),
    handle: async ({ query }) => ({ query }),
  }),
];

test.each([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
])('query: ascending=%s is %s', { tags: ['spec:4/ascending'] }, async (text, value) => {
  const { call } = await smallServer(listRoutes);
  const { status, body } = await call(`GET /v1/list?ascending=${text}`);
  expect([status, body]).toEqual([200, { query: { ascending: value } }]);
});

test.each(['yes', '2', '-1', 'truee', 'null', '01', '%20true', 'true,false'])(
  'query: ascending=%s is refused',
  async (text) => {
    const { call } = await smallServer(listRoutes);
    const { status, body } = await call(`GET /v1/list?ascending=${text}`);
    expect([status, body.errors[0]]).toEqual([
      400,
      { code: 'invalid_field', message: 'ascending must be true or false' },
    ]);
  },
);

test.each(['1', '10', '49', '50'])('query: limit=%s is accepted', async (limit) => {
  const { call } = await smallServer(listRoutes);
  expect((await call(`GET /v1/list?limit=${limit}`)).body).toEqual({ query: { limit: Number(limit) } });
});

test.each(['0', '-1', '51', '100', '1.5', '1e1', '0x10', 'ten', '%2010', '99999999999999999999', 'NaN'])(
  'query: limit=%s is refused',
  { tags: ['spec:4/limit'] },
  async (limit) => {
    const { call } = await smallServer(listRoutes);
    const { status, body } = await call(`GET /v1/list?limit=${limit}`);
    expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(body.errors[0].message).toMatch(/^limit must/);
  },
);

test('query: an empty parameter counts as absent', async () => {
  const { call } = await smallServer(listRoutes);
  const { status, body } = await call('GET /v1/list?ascending=&limit=&startsAfter=&country=');
  expect([status, body]).toEqual([200, { query: {} }]);
});

test('query: of a repeated parameter the last is taken, unless it is a list', async () => {
  const { call } = await smallServer(listRoutes);
  expect((await call('GET /v1/list?limit=5&limit=7')).body).toEqual({ query: { limit: 7 } });
  expect((await call('GET /v1/list?kinds=a&kinds=b')).body).toEqual({ query: { kinds: ['a', 'b'] } });
  expect((await call('GET /v1/list?kinds=a')).body).toEqual({ query: { kinds: ['a'] } });
});

test('query: ignores unknown parameters, whatever their names', async () => {
  const { call } = await smallServer(listRoutes);
  const { status, body } = await call(
    'GET /v1/list?x=1&__proto__=2&constructor=3&toString=4&=5&%ff=%ff&limit=2',
  );
  expect([status, body]).toEqual([200, { query: { limit: 2 } }]);
});

test('query: text matches its pattern and has no U+0000', async () => {
  const { call } = await smallServer(listRoutes);
  expect((await call('GET /v1/list?country=GB')).body).toEqual({ query: { country: 'GB' } });
  for (const text of ['gb', 'GBR', 'G%00', '%00', "'--"]) {
    const { status, body } = await call(`GET /v1/list?country=${text}`);
    expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(body.errors[0].message).toMatch(/^country must/);
  }
});
