import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { CURRENCY_CODES } from './money.ts';
import { idPattern, type IdKind } from './ids.ts';

export { Type, type Static, type TSchema };

/** One thing wrong with a value: where, as a dotted path (empty for the value itself), and what. */
export interface Problem {
  path: string;
  message: string;
}

type SchemaError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

/**
 * A checker for one schema, compiled at its first use so that a hundred routes do not slow the start.
 * Answers the problems found, none when the value fits.
 */
export function checker(schema: TSchema): (value: unknown) => Problem[] {
  let compiled: ReturnType<typeof Compile> | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    return compiled.Check(value) ? [] : compiled.Errors(value).flatMap(describe);
  };
}

function describe(error: SchemaError): Problem[] {
  // What is wrong with a key reads as if it were wrong with its value; the error that follows names the key.
  if (error.schemaPath.endsWith('/propertyNames')) return [];
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ path: inside(name), message: 'is required' }));
    case 'enum':
      return [{ path, message: `must be one of: [${error.params.allowedValues.join(', ')}]` }];
    case 'propertyNames':
      return error.params.propertyNames.map((name) => ({
        path,
        message: `has a key that is too short or too long: ${name.slice(0, 40)}`,
      }));
    case 'boolean': // the schema of members that the declaration does not know
      return [{ path, message: 'is not known here' }];
    case 'maxProperties':
      return [{ path, message: `must not have more than ${error.params.limit} entries` }];
    default:
      return [{ path, message: error.message }];
  }
}

/** An id of the given kind. */
export function Id(kind: IdKind) {
  return Type.String({ pattern: idPattern(kind) });
}

export const Timestamp = Type.Integer({ description: 'Epoch seconds' });

/** Money in minor units of its currency; kept inside the integers that a double holds exactly. */
export const AmountMinor = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

// One @ with something on both sides and no blanks: whether a mailbox is there, only a letter to it can tell.
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'An e-mail address',
});

export const PhoneNumber = Type.String({
  pattern: '^\\+[1-9][0-9]{4,14}$',
  description: 'E.164: a plus sign, the country code, the number',
});

export const CurrencyCode = Type.Enum(CURRENCY_CODES, { description: 'ISO 4217' });

/** The same schema with words of its own: what it means in the place where it stands. */
export function explained<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description };
}

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** A map of text to text: keys 1 to 30 characters, values 1 to 250 (Spec §2.1). */
export function Metadata(entriesMax: number) {
  // Not `Type.Record`, which knows its keys by a pattern that a key with a line break does not match.
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: Type.String({ minLength: 1, maxLength: 250 }),
    maxProperties: entriesMax,
    propertyNames: { minLength: 1, maxLength: 30 },
    description: `At most ${entriesMax} entries; keys 1 to 30 characters, values 1 to 250`,
  });
}
