import { expect, test } from 'vitest';
import { openApiDocument } from '../../../../../server/platform/http/openapi/openapi.ts';
import { ROUTES } from '../../../../../server/routes.ts';
import { TAGS } from '../../../../../server/platform/http/openapi/tags.ts';
import { smallServer } from '../small-server.ts';

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { name: string; in: string; description?: string }[];
}

function operationsOf(document: object): Operation[] {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  return Object.values(paths).flatMap((item) => Object.values(item));
}

test('OpenAPI document: every route is one operation with its own id', async () => {
  const ids = operationsOf(openApiDocument(ROUTES)).map(({ operationId }) => operationId);
  expect(ids).toHaveLength(ROUTES.length);
  expect(new Set(ids).size).toBe(ids.length);
});

test('OpenAPI document: every reference has a component, and every component a reference', async () => {
  const document = openApiDocument(ROUTES) as { components: { schemas: object } };
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    (match) => match[1],
  );
  expect([...new Set(names)].sort()).toEqual(Object.keys(document.components.schemas).sort());
});

test('OpenAPI document: every path parameter is declared once', async () => {
  const document = openApiDocument(ROUTES) as {
    paths: Record<string, Record<string, Operation>>;
  };
  for (const [path, item] of Object.entries(document.paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const { parameters = [] } of Object.values(item)) {
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect([path, declared]).toEqual([path, named]);
    }
  }
});

test('OpenAPI document: every route cites its source', async () => {
  for (const { operation, section, summary } of ROUTES) {
    expect([operation, section]).not.toEqual([operation, '']);
    expect([operation, summary]).not.toEqual([operation, '']);
  }
});

type Json = Record<string, unknown>;

/** Whether a property has a description, or refers to a component that is described itself. */
function isDescribed(property: Json): boolean {
  const choices = (property['anyOf'] ?? []) as Json[];
  return 'description' in property || '$ref' in property || choices.some((choice) => '$ref' in choice);
}

/** The properties of a schema, at any depth, without a description. */
function undescribedProperties(schema: unknown, path: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => undescribedProperties(part, path));
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.entries((schema as { properties?: Record<string, Json> }).properties ?? {})
    .filter(([, property]) => !isDescribed(property))
    .map(([name]) => `${path}.${name}`);
  const inner = Object.entries(schema).flatMap(([key, part]) =>
    undescribedProperties(part, `${path}.${key}`),
  );
  return [...own, ...inner];
}

test('OpenAPI document: every tag, component, property and parameter is described where it is declared', async () => {
  const document = openApiDocument(ROUTES) as {
    tags: Json[];
    components: { schemas: Record<string, Json> };
  };
  const { schemas } = document.components;
  expect(Object.keys(schemas).filter((name) => !schemas[name]!['description'])).toEqual([]);
  expect(document.tags.filter((tag) => !tag['description'])).toEqual([]);
  expect(undescribedProperties(document, '')).toEqual([]);
  const parameters = operationsOf(document).flatMap((operation) => operation.parameters ?? []);
  expect(parameters.filter(({ description }) => !description)).toEqual([]);
});

test('OpenAPI document: every described tag has a route', async () => {
  const routes = ROUTES;
  expect(Object.keys(TAGS).filter((tag) => !routes.some((route) => route.tag === tag))).toEqual([]);
});

test('OpenAPI document: every schema with examples has them in the document, and every refusal has one', async () => {
  const document = openApiDocument(ROUTES) as {
    components: { schemas: object; examples: Record<string, Json> };
  };
  expect(JSON.stringify(document).match(/"examples":\[/g)!.length).toBeGreaterThan(300);
  const named = [...JSON.stringify(document).matchAll(/"#\/components\/examples\/(\w+)"/g)].map(
    (match) => match[1],
  );
  expect([...new Set(named)].sort()).toEqual(Object.keys(document.components.examples));
});

test(
  'OpenAPI document: with live keys it has no sandbox controls, and none is served',
  { tags: ['spec:1/document-without-sandbox'] },
  async () => {
    const { call } = await smallServer(ROUTES, { mode: 'live' });
    const { body } = await call('GET /openapi.json');
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/sandbox'))).toEqual([]);
    expect(body.tags.filter(({ name }: Json) => String(name).startsWith('Sandbox'))).toEqual([]);
    expect(Object.keys(body.paths)).toContain('/v1/payment-sessions');
    const controls = ROUTES.filter(({ surface }) => surface === 'sandbox');
    expect(controls.length).toBeGreaterThan(30);
    for (const { method, path } of controls) {
      const { status, body: answer } = await call(`${method} ${path}` as never);
      expect(status, path).toBe(404);
      expect(answer.errors[0].message).toContain('there is nothing at');
    }
  },
);

/** Where something is said to be deprecated: the operations, and the members at any depth. */
function deprecatedIn(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = (value as Json)['deprecated'] === true ? [path.split('.').slice(-3).join('.')] : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => deprecatedIn(inner, `${path}.${key}`))];
}

test(
  'OpenAPI document: has the version of the interface, and marks what is deprecated',
  { tags: ['spec:9/version', 'spec:9/deprecated'] },
  async () => {
    const document = openApiDocument(ROUTES) as { info: { version: string } };
    expect(document.info.version).toBe('1.1.0');
    expect(deprecatedIn(document, '').sort()).toEqual([
      'Account.properties.actionsRequired',
      'Payout.properties.paymentsTakenDate',
      'Payout.properties.paymentsTakenDateFrom',
      'Payout.properties.paymentsTakenDateTo',
      'paths./v1/accounts/{id}/verify.post',
      'schema.properties.passThroughProcessingFee',
    ]);
  },
);
