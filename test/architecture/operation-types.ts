import { openApiDocument } from '../../server/platform/http/openapi/openapi.ts';
import { ROUTES } from '../../server/routes.ts';

/** What schemas of the OpenAPI document consist of. */
interface JsonSchema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Record<string, JsonSchema>;
}

interface Content {
  content?: Record<string, { schema: JsonSchema }>;
}

interface Operation {
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Content>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

const HEAD = `/**
 * Operations of the HTTP API by method and path: what each takes and its reply. \`protocol/api-client.ts\` calls them. Written
 * by \`npm run docs\` from the routes. An operation whose body or reply is a file has no \`body\` or \`reply\`.
 */`;

/** Returns the content of protocol/api-operations.ts: types of all operations, from the OpenAPI document of the routes. */
export function operationTypes(): string {
  const { paths, components } = openApiDocument(ROUTES) as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  const sent = referencesFrom(
    operations.flatMap(([, { requestBody }]) => jsonOf(requestBody) ?? []),
    components.schemas,
  );
  const rows = operations.map(([name, operation]) => `${JSON.stringify(name)}: ${operationType(operation)};`);
  const used = referencesFrom(
    operations.flatMap(([, { requestBody, responses }]) =>
      [requestBody, ...successesOf(responses)].flatMap((each) => jsonOf(each) ?? []),
    ),
    components.schemas,
  );
  const named = Object.entries(components.schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => `type ${name} = ${typeOf(schema, sent.has(name))};`);
  return `${HEAD}\nexport interface ApiOperations {\n${rows.join('\n')}\n}\n\n${named.join('\n\n')}\n`;
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const [params, query] = ['path', 'query'].map((place) => parameters.filter((each) => each.in === place));
  const body = jsonOf(requestBody);
  const reply = successesOf(responses).map(jsonOf)[0];
  return objectOf([
    ...(params!.length > 0 ? [`params: ${parametersType(params!)}`] : []),
    ...(query!.length > 0
      ? [`query${query!.some(({ required }) => required) ? '' : '?'}: ${parametersType(query!)}`]
      : []),
    ...(body ? [`body${requestBody!.required ? '' : '?'}: ${typeOf(body, true)}`] : []),
    ...(reply ? [`reply: ${typeOf(reply, false)}`] : []),
  ]);
}

function parametersType(parameters: NonNullable<Operation['parameters']>): string {
  return objectOf(
    parameters.map(({ name, required, schema }) => memberOf(name, required, typeOf(schema, true), true)),
  );
}

const successesOf = (responses: Operation['responses']) =>
  Object.entries(responses).flatMap(([status, response]) => (status.startsWith('2') ? [response] : []));

const jsonOf = (of: Content | undefined) => of?.content?.['application/json']?.schema;

/** Returns the names of the components that schemas refer to, directly or through others. */
function referencesFrom(schemas: JsonSchema[], components: Document['components']['schemas']): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name !== '$ref' || typeof member !== 'string') visit(member);
      else if (!found.has(nameOf(member))) {
        found.add(nameOf(member));
        visit(components[nameOf(member)]);
      }
    }
  };
  visit(schemas);
  return found;
}

const nameOf = (reference: string) => reference.split('/').at(-1)!;

const objectOf = (members: string[]) => (members.length === 0 ? '{}' : `{ ${members.join('; ')} }`);

const memberOf = (name: string, required: boolean, type: string, isSent: boolean) =>
  `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}${required ? '' : '?'}: ${type}${required || !isSent ? '' : ' | undefined'}`;

/**
 * Returns the TypeScript type of a schema.
 * @param isSent whether it is of a request: a caller may give `undefined` for a property that it leaves out
 */
function typeOf(schema: JsonSchema, isSent: boolean): string {
  const { $ref, anyOf, items, properties, type } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (anyOf) return [...new Set(anyOf.map((each) => typeOf(each, isSent)))].join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (items) return `(${typeOf(items, isSent)})[]`;
  if (properties) return objectTypeOf(schema, isSent);
  if (type === 'object') return recordTypeOf(schema, isSent);
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  if (type === undefined) return 'unknown';
  throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
}

function objectTypeOf({ properties = {}, required = [] }: JsonSchema, isSent: boolean): string {
  return objectOf(
    Object.entries(properties).map(([name, schema]) =>
      memberOf(name, required.includes(name), typeOf(schema, isSent), isSent),
    ),
  );
}

function recordTypeOf({ additionalProperties, patternProperties }: JsonSchema, isSent: boolean): string {
  const [values = additionalProperties] = Object.values(patternProperties ?? {});
  return `Record<string, ${typeof values === 'object' ? typeOf(values, isSent) : 'unknown'}>`;
}
