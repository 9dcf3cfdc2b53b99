import fc from 'fast-check';
import type { Json } from '../kit/http-call.ts';

/** An operation of an OpenAPI document that takes a body. */
interface BodyOperation {
  method: string;
  path: string;
  schema: Json;
}

/** The operations that take a body, with its schema; references are resolved. */
export function bodyOperations(document: Json): BodyOperation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, operation]) => {
      const schema = operation.requestBody?.content['application/json']?.schema;
      return schema ? [{ method: method.toUpperCase(), path, schema: resolved(document, schema) }] : [];
    }),
  );
}

function resolved(document: Json, schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((each) => resolved(document, each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...own } = schema;
  const name = $ref?.replace('#/components/schemas/', '');
  const target = name === undefined ? own : { ...document.components.schemas[name], ...own };
  return Object.fromEntries(Object.entries(target).map(([key, value]) => [key, resolved(document, value)]));
}

const WILD = ['__proto__', 'constructor', 'toString', '', '\u0000', '\ud800', 'id', '$ref'];

/** Anything that JSON can say, and some that it hardly can. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, -0, 1e308, 2 ** 53, '', '12', 'GBP', ...WILD),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom<unknown>(null, 1, 'x', {}, []), { maxLength: 3 }),
  fc.dictionary(fc.oneof(fc.constantFrom(...WILD), fc.string({ maxLength: 35 })), fc.jsonValue(), {
    maxKeys: 4,
  }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Bodies that look as the schema asks, but for what is of a wrong type in them, at any depth. */
export function almost(schema: Json): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything });
}

function fitting(schema: Json): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(almost));
  switch (schema.type) {
    case 'object': {
      const members: Record<string, Json> = schema.properties ?? {};
      const arbitraries = Object.entries(members).map(([name, member]) => [name, almost(member)]);
      return fc.record(Object.fromEntries(arbitraries), { requiredKeys: [] });
    }
    case 'array':
      return fc.array(almost(schema.items), { maxLength: 3 });
    case 'string':
      return fc.string({ maxLength: 20 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      // Small ones: what is good may be carried out, 10,000 terminals as well.
      return fc.integer({ min: -2, max: 5 });
    default:
      return anything;
  }
}
