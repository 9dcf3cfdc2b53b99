import Type, { type Static, type TOptional, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { LATEST_MS } from './clock.ts';
import { CURRENCY_CODES } from './money.ts';
import { exampleId, idPattern, type IdKind } from './ids.ts';
import { problemsOf, type Problem } from './schema-problems.ts';
import { TEXT_FORMATS } from './text-formats.ts';

export { Type, type Static, type TOptional, type TSchema };

// A union's own error comes after those of all its branches; with the default of 8 it may be missing, and with it the
// branch that the value was meant for. The limit is for long arrays.
Settings.Set({ maxErrors: 128 });

/**
 * Creates a validator for a schema. It returns the problems of a value, none when it is valid. Compiled at its first
 * use, so that many routes do not slow the start.
 */
export function checker(schema: TSchema): (value: unknown) => Problem[] {
  let compiled: ReturnType<typeof Compile> | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    return compiled.Check(value) ? [] : problemsOf(compiled.Errors(value));
  };
}

/** An id of the given kind. The default description names the kind: `Unique identifier of the payment session`. */
export function Id(kind: IdKind, description = `Unique identifier of the ${wordsOf(kind)}`) {
  return Type.String({ pattern: idPattern(kind), description, examples: [exampleId(kind)] });
}

/** Returns a kind of object in words: `paymentSession` as `payment session`. */
export function wordsOf(kind: IdKind): string {
  return kind === 'sku' ? 'SKU' : kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export const Timestamp = Type.Integer({
  description: 'Unix timestamp, in seconds',
  examples: [1_767_603_600],
});
export const CreatedTimestamp = withDescription(
  Timestamp,
  'Time at which the object was created: a Unix timestamp, in seconds',
);
export const LastUpdatedTimestamp = withDescription(
  Timestamp,
  'Time at which the object last changed: a Unix timestamp, in seconds',
);

/** An instant in a file from outside, epoch milliseconds: until the end of the year to which a clock can be set. */
export const EpochMs = Type.Number({ minimum: 0, maximum: LATEST_MS + 365 * 86_400_000 - 1 });

/** An amount in minor units of its currency, at most the largest integer that a double represents exactly. */
export const AmountMinor = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Amount in minor units of the currency',
  examples: [1250],
});

/** An amount of a request that has to be more than nothing. */
export const PositiveAmount = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Amount in minor units of the currency, at least 1',
  examples: [1250],
});

/** An amount of a reply that can be negative, as what an account owes is. */
export const SignedAmount = Type.Integer({
  description: 'Amount in minor units of the currency, which can be negative',
  examples: [1250],
});

/** The part of a payment that the platform takes. */
export const PlatformFeeMinor = withExample(AmountMinor, 100);

/** Makes schemas of one kind of text. */
export type TextKind = ReturnType<typeof textOf>;

/** What a text must be at one place. */
export interface TextLimits {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: 'date';
  deprecated?: true;
}

/**
 * Returns what makes schemas of one kind of text. The example is that of the kind; description and limits are those of
 * the place that has the text. Schemas of two kinds cannot have the same example (test/architecture/examples.test.ts).
 */
export function textOf(example: string) {
  const examples = [example];
  return (description?: string, limits: TextLimits = {}) =>
    Type.String({ ...limits, ...(description !== undefined && { description }), examples });
}

export const EmailText = textOf('sam@example.com');
export const Email = EmailText('Email address', {
  maxLength: 254,
  pattern: TEXT_FORMATS.email.pattern,
});

const PHONE = 'Phone number in E.164 format: a plus sign, the country code and the number';
export const PhoneText = textOf('+442079460000');
export const PhoneNumber = PhoneText(PHONE, { pattern: TEXT_FORMATS.phoneNumber.pattern });
export const MobilePhoneText = textOf('+447700900123');
export const MobilePhoneNumber = MobilePhoneText(PHONE, { pattern: TEXT_FORMATS.phoneNumber.pattern });

export const DateText = textOf('2026-01-05');

export const CountryText = textOf('GB');
export const CountryCode = CountryText('Two-letter ISO 3166-1 alpha-2 country code, in uppercase', {
  pattern: TEXT_FORMATS.countryCode.pattern,
});

const CURRENCY = 'Three-letter ISO 4217 currency code, in uppercase';
/** A currency of a request: one that the server knows. */
export const CurrencyCode = Type.Enum(CURRENCY_CODES, { description: CURRENCY });
export const CurrencyText = textOf('GBP');
/** The currency of an object that a reply shows. */
export const Currency = CurrencyText(CURRENCY);

/** Returns a copy of a schema with another description. A copy of an optional schema is optional. */
export function withDescription<T extends TSchema>(schema: T, description: string): T {
  return copyWith(schema, { description });
}

/** Returns a copy of a schema with another example. A copy of an optional schema is optional. */
export function withExample<T extends TSchema>(schema: T, example: Static<T>): T {
  return copyWith(schema, { examples: [example] });
}

function copyWith<T extends TSchema>(schema: T, members: { description?: string; examples?: [unknown] }): T {
  // TypeBox marks an optional schema with a property that a spread does not copy.
  const copy: T = Object.defineProperties({} as T, Object.getOwnPropertyDescriptors(schema));
  return Object.assign(copy, members);
}

/** Returns a schema that also accepts null. The description says what null means. */
export function Nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** Returns whether null fits a schema: whether it is made by `Nullable`. */
export function takesNull(schema: TSchema & { type?: unknown; anyOf?: TSchema[] }): boolean {
  return schema.type === 'null' || (schema.anyOf?.some(takesNull) ?? false);
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
    examples: [{ order: '42' }],
  });
}
