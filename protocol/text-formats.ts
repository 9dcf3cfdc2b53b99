import { ID_FORMS, idPattern, type IdKind } from './ids.ts';
import { keysOf } from './tables.ts';

/** The form of a text: its anchored JSON Schema pattern, and what a refusal says that the text must be. */
interface TextFormat {
  pattern: string;
  expected: string;
}

/** The forms of the texts that callers of the API send, other than ids. */
export const TEXT_FORMATS = {
  // One @ with text on both sides and no whitespace.
  email: { pattern: '^[^\\s@]+@[^\\s@]+$', expected: 'an email address' },
  phoneNumber: {
    pattern: '^\\+[1-9][0-9]{4,14}$',
    expected: 'a phone number in E.164 format, such as +447700900123',
  },
  countryCode: {
    pattern: '^[A-Z]{2}$',
    expected: 'a two-letter ISO 3166-1 country code in uppercase, such as GB',
  },
  httpUrl: { pattern: '^https?://[^\\s]+$', expected: 'an http or https URL' },
  cardholderName: { pattern: '^\\s*\\S+(\\s+\\S+)+\\s*$', expected: 'two words or more' },
  cardNumber: { pattern: '^[0-9]{1,30}$', expected: '1 to 30 digits' },
  securityCode: { pattern: '^[0-9]{3,4}$', expected: '3 or 4 digits' },
  month: { pattern: '^(0[1-9]|1[0-2])$', expected: 'a month of two digits, 01 to 12' },
  year: { pattern: '^[0-9]{4}$', expected: 'a year of four digits' },
  serialNumber: {
    pattern: '^[A-Za-z0-9][A-Za-z0-9-]{3,39}$',
    expected: '4 to 40 letters, digits and hyphens, the first a letter or a digit',
  },
} as const satisfies Record<string, TextFormat>;

const EXPECTED = new Map<string, string>([
  ...Object.values(TEXT_FORMATS).map(({ pattern, expected }) => [pattern, expected] as const),
  ...keysOf(ID_FORMS).map((kind) => [idPattern(kind), expectedId(kind)] as const),
]);

function expectedId(kind: IdKind): string {
  const { prefix, form } = ID_FORMS[kind];
  return `an id: ${prefix} and ${{ ulid: 'a ULID', ulidPair: 'two ULIDs joined by _', uuid: 'a UUID' }[form]}`;
}

/** Returns what a text of a pattern is, as `an email address`; undefined for a pattern that is not declared here. */
export function expectedBy(pattern: string): string | undefined {
  return EXPECTED.get(pattern);
}
