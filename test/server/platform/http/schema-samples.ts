import { ID_FORMS } from '../../../../protocol/ids.ts';
import { checker, type TSchema } from '../../../../protocol/schema.ts';

// oxlint-disable-next-line no-explicit-any -- a schema, or a value of it
export type Json = any;

const ULID = '01JGXDFAM0Y2QZJP0SHDFV20F9';
const UUID = '3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11';

/** Texts of which one fits any pattern of the API. */
const TEXTS = [
  'text',
  '+442079460000',
  'GB',
  'GBP',
  '2020-01-31',
  'sam@example.com',
  'https://shop.example/back',
  '12',
  '123',
  '2030',
  'SIM-0001',
  'Sam Reid',
  ...Object.values(ID_FORMS).map(
    ({ prefix, form }) => prefix + { ulid: ULID, ulidPair: `${ULID}_${ULID}`, uuid: UUID }[form],
  ),
];

/** A value that fits a schema, with what is required and no more. */
export function sampleOf(schema: Json): Json {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sampleOf(variantsOf(schema)[0]);
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items));
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'string':
      return textOf(schema);
  }
}

function objectOf({ properties = {}, required = [] }: Json): Json {
  return Object.fromEntries(required.map((name: string) => [name, sampleOf(properties[name])]));
}

function textOf(schema: Json): string {
  const fits = checker(schema as TSchema);
  const text = [...TEXTS, 'x'.repeat(schema.minLength ?? 1)].find((one) => fits(one).length === 0);
  if (text === undefined) throw new Error(`no text of this form is known: ${JSON.stringify(schema)}`);
  return text;
}

/** The schemas of a union, but for null, which bodies do not have. */
export function variantsOf({ anyOf }: Json): Json[] {
  return anyOf.filter(({ type }: Json) => type !== 'null');
}

/** A place in a value: names of members, and 0 for the items of a list. */
export type Place = readonly (string | number)[];

/** A sample of a schema that has this value at this place, with whatever has to be around it. */
export function sampleWith(schema: Json, [first, ...rest]: Place, value: Json): Json {
  if (first === undefined) return value;
  if (schema.anyOf) return sampleWith(variantsOf(schema)[0], [first, ...rest], value);
  if (first === 0) {
    const items = sampleOf({ ...schema, minItems: Math.max(schema.minItems ?? 0, 1) });
    return [sampleWith(schema.items, rest, value), ...items.slice(1)];
  }
  return { ...sampleOf(schema), [first]: sampleWith(schema.properties[first], rest, value) };
}
