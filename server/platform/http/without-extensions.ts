import type { TSchema } from '../../../protocol/schema.ts';
import { EXTENSION_MARK } from './extensions.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
