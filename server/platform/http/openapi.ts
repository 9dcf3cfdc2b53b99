import type { TObject } from 'typebox';
import type { TSchema } from '../../../protocol/schema.ts';
import { bodyExampleOf } from './body-example.ts';
import { withExamples } from './examples.ts';
import { createSchemaComponents, type SchemaComponents } from './openapi-components.ts';
import { queryExampleOf } from './query-example.ts';
import { REFUSALS, type RefusalName } from './refusals.ts';
import { takesIdempotencyKey, type Route } from './route.ts';
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
  return withExamples({
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
  }) as object;
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
      [route.status]: { description: 'Done', content: replyContentOf(route, shown(route.reply)) },
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
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }];
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

/** The refusals that a route can give: its own and those of every route of its kind. */
export function refusalsOf(route: Route): RefusalName[] {
  const names: RefusalName[] = [];
  if (route.access !== 'open') names.push('no_credentials', 'bad_key', 'key_not_alone');
  if (route.access !== 'open' && route.access !== 'public') names.push('public_key');
  if (route.access === 'host' || route.access === 'hostDashboard') names.push('not_the_host_key');
  if (route.accountHeader) names.push('account_malformed', 'account_not_linked');
  if (route.surface === 'v1' && route.access !== 'open') names.push('rate_exceeded');
  if (takesIdempotencyKey(route))
    names.push('idempotency_key_length', 'idempotency_key_reused', 'idempotency_key_in_use');
  if (route.path.includes('{')) names.push('undecodable_path');
  if (route.find) names.push('not_found');
  if (route.query || route.body) names.push('invalid_field');
  if (route.upload)
    names.push('not_multipart', 'bad_multipart', 'content_encoding', 'body_too_large', 'body_too_deep');
  else if (route.checkBody)
    names.push('not_json', 'unsupported_media', 'content_encoding', 'body_too_large', 'body_too_deep');
  names.push(...route.refusals, 'fault', 'store_failed');
  return [...new Set(names)];
}

const REQUEST_ID = '3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11';

/** Returns an example response for each refusal of the routes; its parameters are in braces. */
function refusalExamples(routes: readonly Route[]): Record<string, object> {
  const names = [...new Set(routes.flatMap(refusalsOf))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const { status, code, message } = REFUSALS[name];
      const value = { requestId: REQUEST_ID, code: String(status), errors: [{ code, message }] };
      return [name, { summary: message, value }];
    }),
  );
}

function refusalResponses(route: Route): Record<string, object> {
  const byStatus: Record<string, { description: string; lines: RefusalName[] }> = {};
  for (const name of refusalsOf(route)) {
    const { status, code, message, section } = REFUSALS[name];
    const line = `- \`${code}\`: ${message} (${section})`;
    const response = (byStatus[status] ??= { description: '', lines: [] });
    response.description += response.description === '' ? line : `\n${line}`;
    response.lines.push(name);
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, { description, lines }]) => {
      const examples = Object.fromEntries(
        lines.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
      );
      const schema = { $ref: '#/components/schemas/ErrorEnvelope' };
      return [status, { description, content: { 'application/json': { schema, examples } } }];
    }),
  );
}
