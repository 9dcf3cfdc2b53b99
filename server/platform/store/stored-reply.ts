import { toTimestamp } from '../../../protocol/clock.ts';
import { takesNull, type TSchema } from '../../../protocol/schema.ts';
import { parseJson, type JsonText } from './json-text.ts';
import type { Row } from './store.ts';
import type { ComputedOf, Properties, RowOf, ShownOf, StoredProperty } from './stored-property.ts';

/** A property of a reply: its value, of a row and of what the caller computed. Undefined leaves it out. */
type Member = [name: string, read: (row: Row, computed: Readonly<Record<string, unknown>>) => unknown];

type ComputedParameters<P extends Properties> = keyof ComputedOf<P> extends never
  ? []
  : {} extends ComputedOf<P>
    ? [computed?: ComputedOf<P>]
    : [computed: ComputedOf<P>];

/** Returns the function that returns an object with these properties as replies show it. */
export function shownAs<const P extends Properties>(properties: P) {
  const members = Object.entries(properties).flatMap(([name, property]): Member[] => {
    if (property.reply === 'hidden') return [];
    if (property.column === undefined) return [[name, (_, computed) => computed[name]]];
    const { column } = property;
    const read = reader(property);
    const showsNull = property.reply !== undefined && takesNull(property.reply);
    const ofNull = property.ofNull ?? (showsNull ? null : undefined);
    return [[name, (row) => (row[column] === null ? ofNull : read(row[column]!))]];
  });
  return (row: RowOf<P, never>, ...computed: ComputedParameters<P>): ShownOf<P> => {
    const shown: Record<string, unknown> = { id: row.id };
    for (const [name, read] of members) {
      const value = read(row, computed[0] ?? {});
      if (value !== undefined) shown[name] = value;
    }
    return shown as ShownOf<P>;
  };
}

/** Returns the function that returns the value of a column. */
function reader(property: StoredProperty): (value: string | number) => unknown {
  const { schema, instant, toReply } = property;
  if (toReply) {
    const read = reader({ schema, column: property.column, ...(instant && { instant }) });
    return (value) => toReply(read(value) as never);
  }
  if (instant) return (value) => toTimestamp(value as number);
  if (isStructured(schema)) return (value) => parseJson(value as JsonText<unknown>);
  return isBoolean(schema) ? (value) => value === 1 : (value) => value;
}

function isStructured(schema: TSchema & { type?: unknown; anyOf?: TSchema[] }): boolean {
  return schema.type === 'object' || schema.type === 'array' || (schema.anyOf?.some(isStructured) ?? false);
}

function isBoolean(schema: TSchema & { type?: unknown }): boolean {
  return schema.type === 'boolean';
}
