import { expect, test } from 'vitest';
import { Type } from '../../../../protocol/schema.ts';
import { route, type Route } from '../../../../server/platform/http/route.ts';
import { smallServer } from './small-server.ts';

const common = {
  tag: 'Shelf',
  summary: 'Shelf',
  section: 'Spec §4',
  reply: Type.Object({ id: Type.String() }),
};
const handle = async ({ params }: { params: Record<string, string> }) => ({ id: params['id'] ?? 'none' });

const shelfRoutes: readonly Route[] = [
  route({ ...common, operation: 'GET /shelves/{id}', handle }),
  route({ ...common, operation: 'PATCH /shelves/{id}', handle }),
  route({ ...common, operation: 'POST /shelves', handle }),
  route({ ...common, operation: 'POST /shelves/sort', handle }),
  route({ ...common, operation: 'GET /open-shelves/{id}', access: 'public', handle }),
  route({ ...common, operation: 'POST /open-shelves/{id}', access: 'public', handle }),
];

test.each([
  '/%ff%fe',
  '/v1/shelves/%ff%fe',
  '/v1/shelves/%',
  '/v1/shelves/%zz',
  '/v1/shelves/%00',
  '/v1/shelves/a%00b',
  '/v1/%E0%A4%A/x',
])('path: %s cannot be decoded', async (path) => {
  const { call } = await smallServer(shelfRoutes);
  const { status, body, headers } = await call(`GET ${path}`);
  expect([status, body.code, body.errors]).toEqual([
    400,
    '400',
    [{ code: 'bad_request', message: 'the path cannot be decoded' }],
  ]);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
});

test.each([
  'GET /',
  'GET /v1',
  'GET /v1/nothing',
  'POST /v1/shelves/a/b',
  'GET /v1/shelves//a',
  'GET /v1/Shelves/a',
  'DELETE /v1/nothing/at/all',
  'PUT /nothing',
  'HEAD /v1/nothing',
  'OPTIONS /nothing',
  `GET /v1/shelves/${'x'.repeat(5_000)}`,
  `PUT /v1/shelves/${'x'.repeat(5_000)}`,
  'TRACE /v1/shelves/a',
])('path: %s is not found', { tags: ['spec:9/prefix'] }, async (operation) => {
  const { call } = await smallServer(shelfRoutes);
  const { status, body } = await call(operation, { headers: { authorization: null } });
  expect(status).toBe(404);
  if (!operation.startsWith('HEAD'))
    expect(body).toMatchObject({ code: '404', errors: [{ code: 'not_found' }] });
});

test('path: the refusal of an unknown path does not repeat its query', async () => {
  const { call, activities } = await smallServer(shelfRoutes);
  const { text } = await call('GET /v1/nothing?clientSecret=ps_1_secret_2');
  expect(text).not.toContain('secret_2');
  expect(text).toContain('/v1/nothing');
  expect(JSON.stringify(activities)).not.toContain('secret_2');
});

test.each(['POST', 'PUT', 'DELETE'])(
  'path: %s is not allowed where only GET and PATCH are',
  async (method) => {
    const { call } = await smallServer(shelfRoutes);
    const { status, body } = await call(`${method} /v1/shelves/a`, { headers: { authorization: null } });
    expect([status, body]).toMatchObject([
      405,
      { code: '405', errors: [{ code: 'bad_request', message: `${method} is not allowed here` }] },
    ]);
  },
);

test.each(['GET', 'HEAD', 'PATCH', 'PUT'])(
  'path: %s is not allowed where another path with a parameter serves it',
  async (method) => {
    const { call } = await smallServer(shelfRoutes);
    expect((await call(`${method} /v1/shelves/sort`)).status).toBe(405);
    expect((await call('POST /v1/shelves/sort', { body: {} })).status).toBe(200);
  },
);

test.each(['/v1/shelves/a%2Fb', '/v1/%73helves/a', '/v1/shelves/a?b=/c', '/v1/shelves/%25'])(
  'path: another method is not allowed at %s',
  async (path) => {
    const { call } = await smallServer(shelfRoutes);
    expect((await call(`DELETE ${path}`)).status).toBe(405);
  },
);

test('path: HEAD is GET without the body', async () => {
  const { call } = await smallServer(shelfRoutes);
  const { status, text, headers } = await call('HEAD /v1/shelves/a');
  expect([status, text, headers['content-type']]).toEqual([200, '', 'application/json; charset=utf-8']);
  expect((await call('HEAD /v1/shelves/a', { headers: { authorization: null } })).status).toBe(401);
});

test('path: a parameter is decoded once', async () => {
  const { call } = await smallServer(shelfRoutes);
  expect((await call('GET /v1/shelves/a%2Fb%20c%2525')).body).toEqual({ id: 'a/b c%25' });
});

test('CORS: a browser of any origin may call the public operations', async () => {
  const { call, services } = await smallServer(shelfRoutes);
  const origin = { origin: 'https://shop.example' };
  const preflight = await call('OPTIONS /v1/open-shelves/a', {
    headers: {
      ...origin,
      authorization: null,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,ryft-sdk-name',
    },
  });
  expect(preflight.status).toBe(200);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization,content-type,ryft-sdk-name',
  });
  const { publicKey } = services.settings;
  const answer = await call('GET /v1/open-shelves/a', { headers: { ...origin, authorization: publicKey } });
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
  // A page has to be able to read why it was refused, too.
  const refused = await call('GET /v1/open-shelves/a', {
    headers: { ...origin, authorization: 'pk_sandbox_no' },
  });
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([403, '*']);
});

test('CORS: a browser may not call the others', async () => {
  const { call } = await smallServer(shelfRoutes);
  const preflight = await call('OPTIONS /v1/shelves/a', { headers: { authorization: null } });
  expect(preflight.status).toBe(405);
  expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
  expect((await call('GET /v1/shelves/a')).headers).not.toHaveProperty('access-control-allow-origin');
});

test('paths: a final slash on a known path gets 404 with a hint, whatever the method', async () => {
  const { call } = await smallServer(shelfRoutes);
  for (const operation of [
    'GET /v1/shelves/',
    'POST /v1/shelves/',
    'PATCH /v1/shelves/a/',
    'DELETE /v1/shelves/sort/',
    'GET /v1/open-shelves/',
  ]) {
    const { status, body } = await call(operation);
    expect([operation, status, body.errors[0].message]).toEqual([
      operation,
      404,
      `there is nothing at ${operation.split(' ')[1]}: leave out the final /`,
    ]);
  }
});
