import type { TSchema } from '../../../protocol/schema.ts';
import type { RefusalName } from './refusals.ts';
import { keysOf } from '../../../protocol/tables.ts';
import { isObject } from '../../../protocol/outside-json.ts';

/** What /v1 has beyond the specification and what the service's client libraries know. */
interface Extension {
  /** What it is, for docs/sdks.md. */
  what: string;
  /** What becomes of it with `STRICT=on`. */
  strict: string;
  /** Headers of requests and replies. */
  headers?: readonly string[];
  refusals?: readonly RefusalName[];
}

/**
 * Everything that /v1 has beyond the specification: the only place for such a thing. Members are marked where they are
 * declared (`asExtension`). The OpenAPI document marks all of them `x-tapbench-extension`, docs/sdks.md lists them, and
 * `STRICT=on` turns them off. A choice of docs/choices fills a gap of the specification and is no extension.
 */
export const EXTENSIONS = {
  'idempotency-keys': {
    what: 'The header `Idempotency-Key` of a POST, the header `Idempotent-Replayed` of its reply, and the refusals of a key (400, 409, 422). Off by default: [Idempotency keys](idempotency.md)',
    strict: 'The header is ignored',
    headers: ['Idempotency-Key', 'Idempotent-Replayed'],
    refusals: ['idempotency_key_length', 'idempotency_key_reused', 'idempotency_key_in_use'],
  },
  'action-error-reason': {
    what: '`reason` in the `error` of an action of a terminal: what the reader reported, in words',
    strict: 'Absent',
  },
  'conversion-total': {
    what: '`total` in the fees of a conversion and of a rate',
    strict: 'Absent',
  },
  'rate-fees': {
    what: '`fees` of a rate, the same as its `buy.fees`',
    strict: 'Absent',
  },
  'conversion-update': {
    what: '`lastUpdatedTimestamp` of a conversion',
    strict: 'Absent',
  },
} as const satisfies Record<string, Extension>;

export type ExtensionName = keyof typeof EXTENSIONS;

/** The member of a schema, a parameter or a response in the OpenAPI document that names its extension. */
export const EXTENSION_MARK = 'x-tapbench-extension';

/** Returns a copy of the schema of a member that is an extension. */
export function asExtension<T extends TSchema>(name: ExtensionName, schema: T): T {
  // TypeBox marks an optional schema with a property that a spread does not copy.
  const copy: T = Object.defineProperties({} as T, Object.getOwnPropertyDescriptors(schema));
  return Object.assign(copy, { [EXTENSION_MARK]: name });
}

/** Returns the extension that a refusal belongs to; undefined for none. */
export function extensionOfRefusal(refusal: RefusalName): ExtensionName | undefined {
  const names = keysOf(EXTENSIONS);
  return names.find((name) => {
    const { refusals = [] }: Extension = EXTENSIONS[name];
    return refusals.includes(refusal);
  });
}

type Json = Record<string, unknown>;

const isExtension = (schema: unknown) => isObject(schema) && EXTENSION_MARK in schema;

/** Returns the schema without the members that are extensions; the same object where it has none. */
export function schemaWithoutExtensions(schema: TSchema): TSchema {
  return reduced(schema) as TSchema;
}

function reduced(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    const parts = schema.map(reduced);
    return parts.every((part, index) => part === schema[index]) ? schema : parts;
  }
  if (!isObject(schema)) return schema;
  const { properties } = schema;
  const removed = isObject(properties)
    ? Object.keys(properties).filter((name) => isExtension(properties[name]))
    : [];
  const changed: Json = {};
  for (const [name, part] of Object.entries(schema)) {
    const left = name === 'properties' && removed.length > 0 ? without(part as Json, removed) : part;
    const next = reduced(left);
    if (next !== part) changed[name] = next;
  }
  if (Object.keys(changed).length === 0) return schema;
  const { required } = schema;
  const stillRequired = Array.isArray(required) && {
    required: required.filter((name) => !removed.includes(name as string)),
  };
  return { ...schema, ...changed, ...stillRequired };
}

function without(members: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

/** Returns a value that fits the schema, without the members that are extensions. */
export function valueWithoutExtensions<T>(schema: TSchema, value: T): T {
  const { anyOf, properties, items } = schema as {
    anyOf?: TSchema[];
    properties?: Record<string, TSchema>;
    items?: TSchema;
  };
  // An object or null.
  const objects = anyOf?.filter((each) => 'properties' in each) ?? [];
  if (objects.length === 1) return valueWithoutExtensions(objects[0]!, value);
  if (Array.isArray(value))
    return (items ? value.map((item: unknown) => valueWithoutExtensions(items, item)) : value) as T;
  if (!isObject(value) || !properties) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isExtension(declared)) return [];
    return [[name, declared ? valueWithoutExtensions(declared, member) : member]];
  });
  return Object.fromEntries(members) as T;
}
