import type { TObject } from 'typebox';
import type { TSchema } from '../../../../protocol/schema.ts';
import { bodyExampleOf, queryExampleOf } from './request-examples.ts';
import { EXTENSION_MARK, type ExtensionName } from '../extensions.ts';
import { refusalExamples, refusalResponses } from './openapi-refusals.ts';
import { createSchemaComponents, type SchemaComponents } from './openapi-components.ts';
import { takesIdempotencyKey, type Route } from '../route.ts';
import { TAGS } from './tags.ts';

/**
 * The OpenAPI 3.1 document of declared routes. Nothing in it is written twice: operations, parameters, bodies
 * and answers come from the routes, failures from the table of refusals, and every schema with a title becomes
 * a component.
 */
export function openApiDocument(routes: readonly Route[]): object {
  const components = createSchemaComponents();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapbench',
      version: API_VERSION,
      summary: 'In-person payments on a laptop',
      description:
        'Everything under /v1 is the payments API. /sandbox controls what happens outside it: cardholders, banks and time. /pairing returns the MQTT credentials of terminals.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map(tagOf),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { ...components.schemas(), ErrorEnvelope: ERROR_ENVELOPE },
      examples: refusalExamples(routes),
    },
  };
}

function tagOf(name: string): object {
  const description = TAGS[name];
  return { name, ...(description === undefined ? {} : { description }) };
}

const key = (description: string) => ({ type: 'apiKey', in: 'header', name: 'Authorization', description });

const SECURITY_SCHEMES = {
  secretApiKeyAuth: key('The secret key as it is, no scheme word: for servers'),
  publicApiKeyAuth: key('The public key as it is: for browsers and apps, with a client secret'),
  hostKeyAuth: key('The key that the server has in HOST_KEY; where it has one, in place of the secret key'),
};

/** Who may call an operation, for its description. */
const CALLERS: Record<Route['access'], string> = {
  secret: 'For servers, with the secret key.',
  dashboard: 'With the secret key, or the token of the dashboard.',
  sandboxDashboard: 'With the secret key, or with sandbox keys the token of the dashboard.',
  host: 'With the key of the host, or the secret key of the sandbox `default` where the server has none.',
  hostDashboard:
    'With the key of the host, or the secret key of the sandbox `default` where the server has none; also with the token of the dashboard.',
  public:
    'For servers, with the secret key; for browsers and apps, with the public key and the client secret.',
  open: 'Without a key.',
};

const SECURITY: Record<Route['access'], object[]> = {
  secret: [{ secretApiKeyAuth: [] }],
  dashboard: [{ secretApiKeyAuth: [] }],
  sandboxDashboard: [{ secretApiKeyAuth: [] }],
  host: [{ secretApiKeyAuth: [] }, { hostKeyAuth: [] }],
  hostDashboard: [{ secretApiKeyAuth: [] }, { hostKeyAuth: [] }],
  // Both have the same header: `/docs` sends the last one that is filled in.
  public: [{ publicApiKeyAuth: [] }, { secretApiKeyAuth: [] }],
  open: [],
};

// Spec §7.
const ERROR_ENVELOPE = {
  type: 'object',
  description: 'Body of every reply that reports an error',
  required: ['requestId', 'code', 'errors'],
  properties: {
    requestId: {
      type: 'string',
      format: 'uuid',
      description: 'Unique identifier of the request; the log of the server shows it',
    },
    code: { type: 'string', description: 'HTTP status of the reply, as text' },
    errors: {
      type: 'array',
      minItems: 1,
      description: 'Reasons for the error',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'Code of the error. More values can be added.' },
          message: { type: 'string', description: 'Explanation of the error, for a developer to read' },
        },
      },
    },
  },
};

/** Of the interface, not of this server: Spec §9. */
const API_VERSION = '1.1.0';

function operationOf(route: Route, { shown }: SchemaComponents): object {
  const parameters = [
    ...pathParameters(route),
    ...accountParameter(route),
    ...idempotencyParameter(route),
    ...queryParameters(route, shown),
  ];
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    description: `${CALLERS[route.access]}${sectionText(route)}`,
    ...(route.deprecated ? { deprecated: true } : {}),
    security: SECURITY[route.access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? { requestBody: { required: isRequired(route.body), content: contentOf(route, shown(route.body)) } }
      : {}),
    responses: {
      [route.status]: {
        description: 'Done',
        ...replyHeaders(route),
        content: replyContentOf(route, shown(route.reply)),
      },
      ...refusalResponses(route),
    },
  };
}

/** `POST /in-person/terminals/{id}/payment` as `postInPersonTerminalsIdPayment`. */
export function operationIdOf({ operation }: Pick<Route, 'operation'>): string {
  const [method, ...words] = operation.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return method!.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** Where the specification describes a route; nothing for a route that is not in it. */
function sectionText({ section }: Pick<Route, 'section'>): string {
  return section.startsWith('Spec §') ? ` Specification: ${section.slice('Spec '.length)}.` : '';
}

function json(schema: unknown, example?: unknown): object {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

function contentOf(route: Route, schema: unknown): object {
  if (route.bodyType !== undefined) return { [route.bodyType]: { schema } };
  if (!route.upload) return json(schema, bodyExampleOf(route));
  const form = schema as { properties: object; required?: string[] };
  const file = {
    type: 'string',
    format: 'binary',
    description: 'The file, with its name and its content type',
  };
  return {
    'multipart/form-data': {
      schema: {
        ...form,
        properties: { file, ...form.properties },
        required: ['file', ...(form.required ?? [])],
      },
    },
  };
}

function replyContentOf({ replyType }: Route, schema: unknown): object {
  return replyType === undefined ? json(schema) : { [replyType]: { schema } };
}

function isRequired(body: TSchema): boolean {
  return ((body as { required?: string[] }).required ?? []).length > 0;
}

function pathParameters(route: Route): object[] {
  return [...route.path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, collection, name]) => ({
    name,
    in: 'path',
    required: true,
    description:
      name === 'name'
        ? `Name of the ${singularOf(collection!)}`
        : `Unique identifier of the ${singularOf(collection!)}`,
    schema: { type: 'string' },
  }));
}

/** `payment-sessions` as `payment session`. */
function singularOf(collection: string): string {
  if (collection === 'skus') return 'SKU';
  return collection.replaceAll('-', ' ').replace(/ies$/, 'y').replace(/xes$/, 'x').replace(/s$/, '');
}

function accountParameter(route: Route): object[] {
  if (!route.accountHeader) return [];
  const description =
    'Unique identifier of a linked sub account, to act for it. Without it the platform acts for itself.';
  return [{ name: 'Account', in: 'header', required: false, description, schema: { type: 'string' } }];
}

function idempotencyParameter(route: Route): object[] {
  if (!takesIdempotencyKey(route)) return [];
  const description =
    'Makes the request safe to repeat: for 24 hours the same request with the same key gets the first reply again, with the header `Idempotent-Replayed: true`';
  const schema = { type: 'string', minLength: 1, maxLength: 255 };
  const header = { name: 'Idempotency-Key', in: 'header', required: false, description, schema };
  // The other parts of the server are not in the specification at all.
  if (route.surface !== 'v1') return [header];
  return [
    {
      ...header,
      [EXTENSION_MARK]: 'idempotency-keys' satisfies ExtensionName,
      description: `Not in the specification, and ignored unless the settings turn it on (\`IDEMPOTENCY_KEYS\`). ${description}`,
    },
  ];
}

function replyHeaders(route: Route): object {
  if (route.surface !== 'v1' || !takesIdempotencyKey(route)) return {};
  const replayed = {
    description: '`true` where the reply is that of an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string' },
    [EXTENSION_MARK]: 'idempotency-keys' satisfies ExtensionName,
  };
  return { headers: { 'Idempotent-Replayed': replayed } };
}

function queryParameters(route: Route, shown: SchemaComponents['shown']): object[] {
  const query: Pick<TObject, 'properties'> & { required?: string[] } = route.query ?? { properties: {} };
  return Object.entries(query.properties as Record<string, TSchema & { description?: string }>).map(
    ([name, member]) => ({
      name,
      in: 'query',
      required: query.required?.includes(name) ?? false,
      description: member.description,
      example: queryExampleOf(route.operation, name),
      schema: shown(member),
    }),
  );
}
