import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import type { TSchema } from '../../../protocol/schema.ts';

/**
 * A function that writes values of one schema as JSON text, compiled at its first use so that a hundred routes do
 * not slow the start.
 */
export function serialiser(schema: TSchema): (value: unknown) => string {
  let stringify: ((value: unknown) => string) | undefined;
  return (value) => {
    stringify ??= fastJsonStringify(withNullable(schema) as Schema);
    return stringify(value);
  };
}

/**
 * Returns a schema in which `X | null` is X with `nullable`. For a union fast-json-stringify compiles a validator of
 * each member, and validates the value to find the one that it is.
 */
function withNullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, withNullable(part)]),
  );
  const { anyOf, ...rest } = parts;
  // A property may be named `anyOf` too.
  if (!Array.isArray(anyOf)) return parts;
  const values = (anyOf as TSchema[]).filter((member) => !('type' in member && member.type === 'null'));
  if (values.length !== 1 || anyOf.length === 1) return parts;
  return { ...rest, ...values[0], nullable: true };
}
