import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from '../../../protocol/schema.ts';

/**
 * A function that writes values of one schema as JSON text, compiled at its first use so that a hundred routes do
 * not slow the start.
 */
export function serialiser(schema: TSchema): (value: unknown) => string {
  let stringify: ((value: unknown) => string) | undefined;
  return (value) => {
    stringify ??= fastJsonStringify(schema as fastJsonStringify.Schema);
    return stringify(value);
  };
}
