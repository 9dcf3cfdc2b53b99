import { expect, test } from 'vitest';
import { Id, Nullable, Type } from '../../../../../protocol/schema.ts';
import { openApiDocument, operationIdOf } from '../../../../../server/platform/http/openapi/openapi.ts';
import { refusalsOf } from '../../../../../server/platform/http/openapi/openapi-refusals.ts';
import { openApiRoute } from '../../../../../server/platform/http/openapi/openapi.resource.ts';
import { Page, PageQuery } from '../../../../../server/platform/http/paging.schema.ts';
import { REFUSALS } from '../../../../../server/platform/http/refusals.ts';
import { route, type Route } from '../../../../../server/platform/http/route.ts';
import { smallServer } from '../small-server.ts';

const Lid = Type.Object({ colour: Type.String() }, { title: 'Lid' });
const Jar = Type.Object(
  { id: Id('location'), lid: Nullable(Lid), spare: Type.Optional(Lid), title: Type.Optional(Type.String()) },
  { title: 'Jar' },
);
const JarCreate = Type.Object({ lid: Lid });

const common = { tag: 'Jar', section: 'Spec §9' };
const nothing = async () => undefined as never;

const CREATE = route({
  ...common,
  operation: 'POST /jars',
  summary: 'Make a jar',
  accountHeader: true,
  body: JarCreate,
  reply: Jar,
  status: 202,
  refusals: ['terminal_busy'],
  handle: nothing,
});
const LIST = route({
  ...common,
  operation: 'GET /jars',
  summary: 'List jars',
  query: Type.Object({ ...PageQuery.properties, country: Type.String({ description: 'Where from' }) }),
  reply: Page(Jar),
  handle: nothing,
});
const FETCH = route({
  ...common,
  operation: 'GET /jars/{id}',
  summary: 'Fetch a jar',
  access: 'public',
  reply: Jar,
  find: nothing,
  handle: nothing,
});
const OPEN = route({
  ...common,
  operation: 'GET /lid',
  surface: 'open',
  access: 'open',
  summary: 'Look',
  reply: Lid,
  handle: nothing,
});
const RENAME = route({
  ...common,
  operation: 'PATCH /jars/{id}',
  summary: 'Change a jar',
  body: Type.Partial(JarCreate),
  reply: Jar,
  find: nothing,
  handle: nothing,
});

/** Any path into a document that is plain JSON. */
function documentOf(routes: Route[]): ReturnType<JSON['parse']> {
  return JSON.parse(JSON.stringify(openApiDocument(routes)));
}

test('OpenAPI document: each route is an operation at its path', () => {
  const { openapi, paths, servers, tags } = documentOf([CREATE, LIST, FETCH, OPEN, RENAME]);
  expect(openapi).toBe('3.1.0');
  expect(servers).toEqual([{ url: '/' }]);
  expect(tags).toEqual([{ name: 'Jar' }]);
  expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item as object)])).toEqual([
    ['/v1/jars', ['post', 'get']],
    ['/v1/jars/{id}', ['get', 'patch']],
    ['/lid', ['get']],
  ]);
  expect(paths['/v1/jars'].post).toMatchObject({
    operationId: 'postJars',
    tags: ['Jar'],
    summary: 'Make a jar',
    description: 'For servers, with the secret key. Specification: §9.',
  });
});

test('OpenAPI document: an operation id is the operation in one word', () => {
  expect(operationIdOf({ operation: 'POST /in-person/terminals/{id}/confirm-receipt' })).toBe(
    'postInPersonTerminalsIdConfirmReceipt',
  );
});

test('OpenAPI document: security says which keys are accepted', () => {
  const { paths, components } = documentOf([CREATE, FETCH, OPEN]);
  expect(paths['/v1/jars'].post.security).toEqual([{ secretApiKeyAuth: [] }]);
  expect(paths['/v1/jars/{id}'].get.security).toEqual([{ publicApiKeyAuth: [] }, { secretApiKeyAuth: [] }]);
  expect(paths['/lid'].get.security).toEqual([]);
  expect(components.securitySchemes).toMatchObject({
    secretApiKeyAuth: { type: 'apiKey', in: 'header', name: 'Authorization' },
    publicApiKeyAuth: { type: 'apiKey', in: 'header', name: 'Authorization' },
  });
});

test('OpenAPI document: path, query and the headers Account and Idempotency-Key are parameters', () => {
  const { paths } = documentOf([CREATE, LIST, FETCH]);
  expect(paths['/v1/jars'].post.parameters).toMatchObject([
    { name: 'Account', in: 'header', required: false },
    { name: 'Idempotency-Key', in: 'header', required: false },
  ]);
  expect(paths['/v1/jars/{id}'].get.parameters).toEqual([
    { name: 'id', in: 'path', required: true, description: expect.any(String), schema: { type: 'string' } },
  ]);
  expect(paths['/v1/jars'].get.parameters).toMatchObject([
    { name: 'ascending', in: 'query', required: false, schema: { type: 'boolean' } },
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 50 } },
    { name: 'startsAfter', in: 'query', required: false, schema: { type: 'string' } },
    { name: 'country', in: 'query', required: true, description: 'Where from' },
  ]);
});

test('OpenAPI document: a schema with a title is a component, wherever it is used', () => {
  const { paths, components } = documentOf([CREATE, LIST, RENAME, OPEN]);
  const lid = { $ref: '#/components/schemas/Lid' };
  const jar = { $ref: '#/components/schemas/Jar' };
  const { post, get } = paths['/v1/jars'];
  expect(post.requestBody).toEqual({
    required: true,
    content: {
      'application/json': {
        schema: { type: 'object', required: ['lid'], properties: { lid } },
        example: { lid: { colour: 'Example' } },
      },
    },
  });
  expect(paths['/v1/jars/{id}'].patch.requestBody.required).toBe(false);
  expect(post.responses['202'].content['application/json'].schema).toEqual(jar);
  expect(get.responses['200'].content['application/json'].schema.properties.items).toEqual({
    type: 'array',
    description: expect.any(String),
    items: jar,
  });
  expect(components.schemas.Lid).toEqual({
    title: 'Lid',
    type: 'object',
    required: ['colour'],
    properties: { colour: { type: 'string' } },
  });
  // A member that is itself called title names no component.
  expect(components.schemas.Jar.properties).toMatchObject({
    lid: { anyOf: [lid, { type: 'null' }] },
    spare: lid,
    title: { type: 'string' },
  });
  expect(Object.keys(components.schemas).sort()).toEqual(['ErrorEnvelope', 'Jar', 'Lid']);
});

test('OpenAPI document: throws for two schemas with one title', () => {
  const other = route({
    ...common,
    operation: 'GET /lids',
    summary: 'Lids',
    reply: Type.Object({ size: Type.Integer() }, { title: 'Lid' }),
    handle: nothing,
  });
  expect(() => openApiDocument([OPEN, other])).toThrow('two different schemas have the title Lid');
});

test('OpenAPI document: the refusals of a route are its responses, by status', () => {
  const { paths } = documentOf([CREATE, OPEN]);
  const { responses } = paths['/v1/jars'].post;
  expect(Object.keys(responses)).toEqual([
    '202',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
  expect(responses['409'].description).toContain(REFUSALS.terminal_busy.message);
  expect(responses['403'].description.split('\n')).toHaveLength(4);
  expect(responses['403'].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/ErrorEnvelope',
  });
  expect(Object.keys(paths['/lid'].get.responses)).toEqual(['200', '500', '503']);
});

test('OpenAPI document: only a look-up can be not found, only a body can be invalid', () => {
  expect(refusalsOf(FETCH)).toContain('not_found');
  expect(refusalsOf(FETCH)).not.toContain('not_json');
  expect(refusalsOf(FETCH)).not.toContain('public_key');
  expect(refusalsOf(LIST)).not.toContain('not_found');
  expect(refusalsOf(CREATE)).toContain('body_too_large');
});

test('GET /openapi.json: is served to every caller, and describes itself', async () => {
  const served: readonly Route[] = [CREATE, openApiRoute(() => served)];
  const { call } = await smallServer(served);
  const { status, body } = await call('GET /openapi.json', { headers: { authorization: null } });
  expect(status).toBe(200);
  expect(Object.keys(body.paths)).toEqual(['/v1/jars', '/openapi.json']);
  expect(body.components.schemas.Jar.properties.id.pattern).toContain('iploc_');
});
