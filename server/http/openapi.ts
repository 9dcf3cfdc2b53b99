import type { TObject } from 'typebox';
import type { TSchema } from '../../protocol/schema.ts';
import { hoister, type Hoister } from './openapi-components.ts';
import { REFUSALS, type RefusalName } from './refusals.ts';
import type { Route } from './route.ts';

/**
 * The OpenAPI 3.1 document of declared routes. Nothing in it is written twice: operations, parameters, bodies
 * and answers come from the routes, failures from the table of refusals, and every schema with a title becomes
 * a component.
 */
export function openApiDocument(routes: readonly Route[]): object {
  const components = hoister();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapbench',
      version: '1',
      summary: 'In-person payments on a laptop',
      description:
        'Everything under /v1 is the payments API. /sandbox plays the world around it, /pairing gives terminals their MQTT credentials.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { ...components.schemas(), ErrorEnvelope: ERROR_ENVELOPE },
    },
  };
}

const key = (description: string) => ({ type: 'apiKey', in: 'header', name: 'Authorization', description });

const SECURITY_SCHEMES = {
  secretApiKeyAuth: key('The secret key as it is, no scheme word: for servers'),
  publicApiKeyAuth: key('The public key as it is: for browsers and apps, with a client secret'),
};

const SECURITY: Record<Route['access'], object[]> = {
  secret: [{ secretApiKeyAuth: [] }],
  public: [{ secretApiKeyAuth: [] }, { publicApiKeyAuth: [] }],
  open: [],
};

// Spec §7.
const ERROR_ENVELOPE = {
  type: 'object',
  required: ['requestId', 'code', 'errors'],
  properties: {
    requestId: { type: 'string', format: 'uuid' },
    code: { type: 'string', description: 'The HTTP status, as text' },
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

function operationOf(route: Route, { shown }: Hoister): object {
  const parameters = [...pathParameters(route), ...accountParameter(route), ...queryParameters(route, shown)];
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    description: route.section,
    security: SECURITY[route.access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? { requestBody: { required: isRequired(route.body), content: json(shown(route.body)) } }
      : {}),
    responses: {
      [route.status]: { description: 'Done', content: json(shown(route.reply)) },
      ...refusalResponses(route),
    },
  };
}

/** `POST /in-person/terminals/{id}/payment` as `postInPersonTerminalsIdPayment`. */
export function operationIdOf({ operation }: Pick<Route, 'operation'>): string {
  const [method, ...words] = operation.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return method!.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function json(schema: unknown): object {
  return { 'application/json': { schema } };
}

function isRequired(body: TSchema): boolean {
  return ((body as { required?: string[] }).required ?? []).length > 0;
}

function pathParameters(route: Route): object[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function accountParameter(route: Route): object[] {
  if (!route.accountHeader) return [];
  const description = 'The linked sub account to act for (Spec §5.6)';
  return [{ name: 'Account', in: 'header', required: false, description, schema: { type: 'string' } }];
}

function queryParameters(route: Route, shown: Hoister['shown']): object[] {
  const query: Pick<TObject, 'properties'> & { required?: string[] } = route.query ?? { properties: {} };
  return Object.entries(query.properties as Record<string, TSchema & { description?: string }>).map(
    ([name, member]) => ({
      name,
      in: 'query',
      required: query.required?.includes(name) ?? false,
      ...(member.description ? { description: member.description } : {}),
      schema: shown(member),
    }),
  );
}

/** The refusals that a route can give: its own and those of every route of its kind. */
export function refusalsOf(route: Route): RefusalName[] {
  const names: RefusalName[] = [];
  if (route.access !== 'open') names.push('no_credentials', 'bad_key');
  if (route.access === 'secret') names.push('public_key');
  if (route.accountHeader) names.push('account_malformed', 'account_not_linked');
  if (route.surface === 'v1' && route.access !== 'open') names.push('rate_exceeded');
  if (route.path.includes('{')) names.push('undecodable_path');
  if (route.find) names.push('not_found');
  if (route.query || route.body) names.push('invalid_field');
  if (route.body) names.push('not_json', 'unsupported_media', 'body_too_large');
  names.push(...route.refusals, 'fault', 'store_failed');
  return [...new Set(names)];
}

function refusalResponses(route: Route): Record<string, object> {
  const byStatus: Record<string, { description: string; content: object }> = {};
  for (const name of refusalsOf(route)) {
    const { status, code, message, section } = REFUSALS[name];
    const line = `- \`${code}\`: ${message} (${section})`;
    const response = byStatus[status];
    if (response) response.description += `\n${line}`;
    else
      byStatus[status] = { description: line, content: json({ $ref: '#/components/schemas/ErrorEnvelope' }) };
  }
  return byStatus;
}
