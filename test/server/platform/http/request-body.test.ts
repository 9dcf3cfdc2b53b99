import { expect, test } from 'vitest';
import { Metadata, Nullable, Type } from '../../../../protocol/schema.ts';
import { route, type Route } from '../../../../server/platform/http/route.ts';
import { smallServer } from './small-server.ts';

const Given = Type.Object({ given: Type.Unknown() });

const Parcel = Type.Object({
  label: Type.String({ minLength: 1 }),
  weight: Type.Optional(Type.Integer({ minimum: 0 })),
  note: Type.Optional(Nullable(Type.String())),
  inside: Type.Optional(Type.Object({ depth: Type.Optional(Type.Unknown()) })),
  tags: Type.Optional(Type.Array(Type.String())),
  lids: Type.Optional(Type.Array(Type.Object({ colour: Type.String() }))),
  metadata: Type.Optional(Metadata(2)),
});

/** Answers the body as the handler was given it, and one call that takes none. */
const common = { tag: 'Parcel', summary: 'Send', section: 'Spec §4', reply: Given };

const parcelRoutes: readonly Route[] = [
  route({
    ...common,
    operation: 'POST /parcels',
    body: Parcel,
    handle: async ({ body }) => ({ given: body }),
  }),
  route({
    ...common,
    operation: 'PATCH /parcels',
    body: Type.Partial(Parcel),
    handle: async ({ body }) => ({ given: body }),
  }),
  route({
    ...common,
    operation: 'POST /parcels/send',
    handle: async ({ body }) => ({ given: body ?? 'nothing' }),
  }),
  route({
    ...common,
    operation: 'DELETE /parcels',
    handle: async ({ body }) => ({ given: body ?? 'nothing' }),
  }),
];

const json = { 'content-type': 'application/json' };

test('request body: a null field is absent where the schema does not take it, at every depth', async () => {
  const { call } = await smallServer(parcelRoutes);
  const body = { label: 'a', weight: null, inside: { depth: null }, metadata: { a: 'x' } };
  const { status, body: answer } = await call('POST /v1/parcels', { body, headers: json });
  expect([status, answer]).toEqual([200, { given: { label: 'a', inside: {}, metadata: { a: 'x' } } }]);
});

test('request body: null is kept where the schema takes it', async () => {
  const { call } = await smallServer(parcelRoutes);
  const body = { note: null, weight: null };
  const { body: answer } = await call('PATCH /v1/parcels', { body, headers: json });
  expect(answer).toEqual({ given: { note: null } });
});

test('request body: an empty list is an empty object, which some client libraries cannot tell apart', async () => {
  const { call } = await smallServer(parcelRoutes);
  const { status, body: answer } = await call('PATCH /v1/parcels', { body: [], headers: json });
  expect([status, answer]).toEqual([200, { given: {} }]);
});

test('request body: a required field that is null is missing', async () => {
  const { call } = await smallServer(parcelRoutes);
  const { status, body } = await call('POST /v1/parcels', { body: { label: null }, headers: json });
  expect([status, body.errors]).toEqual([400, [{ code: 'invalid_field', message: 'label is required' }]]);
});

test('request body: converts no value to another type', async () => {
  const { call } = await smallServer(parcelRoutes);
  const refused = async (body: unknown) => {
    const answer = await call('POST /v1/parcels', { body, headers: json });
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_field']);
    return answer.body.errors[0].message as string;
  };
  expect(await refused({ label: 5 })).toMatch(/^label must be a string/);
  expect(await refused({ label: 'a', weight: '5' })).toMatch(/^weight must be an integer/);
  expect(await refused({ label: 'a', weight: 1.5 })).toMatch(/^weight must be an integer/);
  expect(await refused({ label: 'a', weight: -1 })).toMatch(/^weight must be/);
  expect(await refused({ label: '' })).toMatch(/^label must/);
  expect(await refused({ label: 'a', tags: ['x', 7] })).toMatch(/^tags\.1 must be a string/);
  expect(await refused({ label: 'a', metadata: { k: 1 } })).toMatch(/^metadata\.k must be a string/);
  expect(await refused({ label: 'a', metadata: { ['k'.repeat(31)]: 'v' } })).toMatch(/^metadata has a key/);
  expect(await refused({ label: 'a', metadata: { '': 'v' } })).toMatch(/^metadata has a key/);
  expect(await refused({ label: 'a', metadata: { k: 'v'.repeat(251) } })).toMatch(/^metadata\.k must/);
  expect(await refused({ label: 'a', metadata: { a: '1', b: '2', c: '3' } })).toMatch(
    /^metadata must have at most 2 entries/,
  );
  for (const body of [[{ label: 'a' }], 'text', 7, true])
    expect(await refused(body)).toMatch(/^body must be an object/);
  expect(await refused(null)).toMatch(/^body must be an object/);
});

test.each([
  ['half an object', '{"label":'],
  ['text', 'hello'],
  ['two values', '{"label":"a"} {"label":"b"}'],
  ['a comment', '{"label":"a" /* mine */}'],
  ['a form', 'label=a&weight=1'],
  ['NaN', '{"label":"a","weight":NaN}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['half a character', Buffer.from('{"label":"é"}').subarray(0, 11)],
])('request body: %s is not JSON', async (_what, raw) => {
  const { call } = await smallServer(parcelRoutes);
  const { status, body } = await call('POST /v1/parcels', { raw, headers: json });
  expect([status, body.errors]).toEqual([
    400,
    [{ code: 'bad_request', message: 'the body is not valid JSON' }],
  ]);
});

test.each([
  ['no content type', {}],
  ['a charset', { 'content-type': 'application/json; charset=utf-8' }],
  ['the default type of curl', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['text', { 'content-type': 'text/plain' }],
])('request body: reads JSON with %s', async (_what, headers: Record<string, string>) => {
  const { call } = await smallServer(parcelRoutes);
  const { status, body } = await call('POST /v1/parcels', { raw: '{"label":"é"}', headers });
  expect([status, body]).toEqual([200, { given: { label: 'é' } }]);
});

test('request body: refuses an invalid content type', async () => {
  const { call } = await smallServer(parcelRoutes);
  const headers = { 'content-type': 'nonsense' };
  const { status, body } = await call('POST /v1/parcels', { raw: '{"label":"a"}', headers });
  expect([status, body.errors[0].code]).toEqual([415, 'unsupported_media_type']);
});

test('request body: a content type without a body is an empty object', async () => {
  const { call } = await smallServer(parcelRoutes);
  expect((await call('PATCH /v1/parcels', { headers: json })).body).toEqual({ given: {} });
  expect((await call('PATCH /v1/parcels', { headers: json, raw: ' \n' })).body).toEqual({ given: {} });
  const required = await call('POST /v1/parcels', { headers: json });
  expect([required.status, required.body.errors[0].message]).toEqual([400, 'label is required']);
});

test.each(['POST /v1/parcels/send', 'DELETE /v1/parcels'])(
  'request body: %s takes none and ignores one',
  async (operation) => {
    const { call } = await smallServer(parcelRoutes);
    for (const raw of [undefined, '', '{}', '[]', '{"reason":"changed my mind"}', 'not JSON']) {
      const answer = await call(operation, { headers: json, ...(raw === undefined ? {} : { raw }) });
      expect([raw, answer.status, answer.body]).toEqual([raw, 200, { given: 'nothing' }]);
    }
  },
);

test('request body: refuses U+0000, in a value or in a key', async () => {
  const { call } = await smallServer(parcelRoutes);
  const messages = [];
  for (const body of [
    { label: 'a\u0000' },
    { label: 'a', tags: ['b\u0000'] },
    { label: 'a', metadata: { 'k\u0000': 'v' } },
  ]) {
    const answer = await call('POST /v1/parcels', { body, headers: json });
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_field']);
    messages.push(answer.body.errors[0].message);
  }
  expect(messages).toEqual([
    'label must not contain the character U+0000',
    'tags.0 must not contain the character U+0000',
    'metadata must not contain the character U+0000',
  ]);
});

test('request body: may be nested to a limited depth', async () => {
  const { call } = await smallServer(parcelRoutes);
  const nested = (depth: number) =>
    `{"label":"a","inside":{"depth":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
  const send = (depth: number) => call('POST /v1/parcels', { raw: nested(depth), headers: json });
  expect((await send(25)).status).toBe(200);
  for (const depth of [40, 100_000]) {
    const { status, body } = await send(depth);
    expect([status, body.errors[0]]).toEqual([
      400,
      { code: 'bad_request', message: 'arrays and objects in the body are nested more than 32 deep' },
    ]);
  }
});

test('request body: a member named __proto__ is refused, at any depth, and others like it are kept', async () => {
  const { call } = await smallServer(parcelRoutes);
  const send = (raw: string) => call('POST /v1/parcels', { raw, headers: json });
  for (const [raw, field] of [
    ['{"__proto__":{"weight":5},"label":"a"}', 'body'],
    ['{"label":"a","inside":{"__proto__":{"depth":1}}}', 'inside'],
    ['{"label":"a","metadata":{"__proto__":"x"}}', 'metadata'],
  ] as const) {
    const { status, body } = await send(raw);
    expect([status, body.errors[0].message]).toEqual([
      400,
      `${field} must not have a member named __proto__`,
    ]);
  }
  const kept = { label: 'a', metadata: { constructor: 'y' } };
  expect((await send(JSON.stringify(kept))).body.given).toEqual(kept);
  expect(({} as { weight?: number }).weight).toBeUndefined();
});

test('request body: one with Content-Encoding is refused with the reason, after the credentials', async () => {
  const { call } = await smallServer(parcelRoutes);
  const send = (headers: Record<string, string | null>) =>
    call('POST /v1/parcels', { raw: '{"label":"a"}', headers: { ...json, ...headers } });
  const { status, body } = await send({ 'content-encoding': 'gzip' });
  expect([status, body.errors[0].message]).toEqual([
    415,
    'the body must not be encoded: send it without Content-Encoding',
  ]);
  expect((await send({ 'content-encoding': 'gzip', authorization: null })).status).toBe(401);
  expect((await send({ 'content-encoding': 'identity' })).status).toBe(200);
});

test('request body: drops unknown fields, at any depth', async () => {
  const { call } = await smallServer(parcelRoutes);
  const body = {
    label: 'a',
    constructor: { prototype: {} },
    toString: 'x',
    inside: { depth: { anything: 1 }, height: 2 },
    lids: [{ colour: 'red', size: 3 }],
  };
  const known = { label: 'a', inside: { depth: { anything: 1 } }, lids: [{ colour: 'red' }] };
  expect((await call('POST /v1/parcels', { body })).body.given).toEqual(known);
});

test('request body: accepts one mebibyte, and refuses one byte more', async () => {
  const { call } = await smallServer(parcelRoutes);
  const sized = (bytes: number) => `{"label":"${'x'.repeat(bytes - '{"label":""}'.length)}"}`;
  expect((await call('POST /v1/parcels', { raw: sized(2 ** 20), headers: json })).status).toBe(200);
  const { status, body } = await call('POST /v1/parcels', { raw: sized(2 ** 20 + 1), headers: json });
  expect([status, body]).toMatchObject([
    413,
    { code: '413', errors: [{ code: 'bad_request', message: 'the body is larger than 1 MiB' }] },
  ]);
});
