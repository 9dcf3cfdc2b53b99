import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { CURRENCY_CODES } from './money.ts';
import { idPattern, type IdKind } from './ids.ts';

export { Type, type Static, type TSchema };

/** A validation error: dotted path (empty for the value itself) and message. */
export interface Problem {
  path: string;
  message: string;
}

type SchemaError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

/**
 * Creates a validator for a schema. It returns the problems of a value, none when it is valid. Compiled at its first
 * use, so that many routes do not slow the start.
 */
export function checker(schema: TSchema): (value: unknown) => Problem[] {
  let compiled: ReturnType<typeof Compile> | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    return compiled.Check(value) ? [] : compiled.Errors(value).flatMap(describe);
  };
}

function describe(error: SchemaError): Problem[] {
  // Reported as if the value were wrong; the following error names the key.
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

/** An id of the given kind. The default description names the kind: `Unique identifier of the payment session`. */
export function Id(kind: IdKind, description = `Unique identifier of the ${wordsOf(kind)}`) {
  return Type.String({ pattern: idPattern(kind), description });
}

/** `paymentSession` as `payment session`. */
function wordsOf(kind: IdKind): string {
  return kind === 'sku' ? 'SKU' : kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export const Timestamp = Type.Integer({ description: 'Unix timestamp, in seconds' });
export const CreatedTimestamp = withDescription(
  Timestamp,
  'Time at which the object was created: a Unix timestamp, in seconds',
);
export const LastUpdatedTimestamp = withDescription(
  Timestamp,
  'Time at which the object last changed: a Unix timestamp, in seconds',
);

/** An amount in minor units of its currency, at most the largest integer that a double represents exactly. */
export const AmountMinor = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Amount in minor units of the currency',
});

// One @ with text on both sides and no whitespace.
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'Email address',
});

export const PhoneNumber = Type.String({
  pattern: '^\\+[1-9][0-9]{4,14}$',
  description: 'Phone number in E.164 format: a plus sign, the country code and the number',
});

export const CountryCode = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'Two-letter ISO 3166-1 alpha-2 country code, in uppercase',
});

const CURRENCY = 'Three-letter ISO 4217 currency code, in uppercase';
/** A currency of a request: one that the server knows. */
export const CurrencyCode = Type.Enum(CURRENCY_CODES, { description: CURRENCY });
/** The currency of an object that a reply shows. */
export const Currency = Type.String({ description: CURRENCY });

/**
 * The same schema, described for the place where it stands. The schema must not be optional: wrap the result in
 * `Type.Optional` instead, whose mark a copy does not keep.
 */
export function withDescription<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description };
}

/** The schema or null. The description belongs to both: it says what null means. */
export function Nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** A map of strings: keys of 1 to 30 characters, values of 1 to 250 (Spec §2.1). */
export function Metadata(entriesMax: number) {
  // Not `Type.Record`: its key pattern does not match a key with a line break.
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: Type.String({ minLength: 1, maxLength: 250 }),
    maxProperties: entriesMax,
    propertyNames: { minLength: 1, maxLength: 30 },
    description: `Set of key-value pairs that you attach to the object: at most ${entriesMax}, with keys of 1 to 30 characters and values of 1 to 250`,
  });
}
