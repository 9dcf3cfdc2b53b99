import { PLAIN_NUMBER } from '../../../../protocol/test-cards.ts';
import { ID_FORMS, idPattern, type IdKind } from '../../../../protocol/ids.ts';

type Json = Record<string, unknown>;

/** Example values for the OpenAPI document, by property name; examples of ids come from their patterns. */
const EXAMPLES: Record<string, unknown> = {
  amount: 1250,
  requested: 1250,
  platformFee: 100,
  currency: 'GBP',
  country: 'GB',
  nationalities: 'GB',
  domainName: 'shop.example',
  email: 'sam@example.com',
  customerEmail: 'sam@example.com',
  firstName: 'Sam',
  lastName: 'Reid',
  lineOne: '1 High Street',
  city: 'London',
  postalCode: 'SW1A 1AA',
  phoneNumber: '+442079460000',
  mobilePhoneNumber: '+447700900123',
  homePhoneNumber: '+442079460000',
  dateOfBirth: '1990-04-01',
  registrationDate: '2015-03-02',
  returnUrl: 'https://shop.example/done',
  redirectUrl: 'https://shop.example/back',
  url: 'https://shop.example/webhooks',
  metadata: { order: '42' },
  number: PLAIN_NUMBER,
  expiryMonth: '12',
  expiryYear: '2030',
  cvc: '123',
  bin: PLAIN_NUMBER.slice(0, 6),
  last4: PLAIN_NUMBER.slice(-4),
  serialNumber: 'SIM-1001',
  nowTimestamp: 1_767_603_600,
};

const TIMESTAMP = /Timestamp$/;

const ULID = '01JGXDFAM0Y2QZJP0SHDFV20F9';
const UUID = '3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11';

/** Returns an example id of a kind. */
export function exampleId(kind: IdKind): string {
  const { prefix, form } = ID_FORMS[kind];
  return prefix + { ulid: ULID, ulidPair: `${ULID}_${ULID}`, uuid: UUID }[form];
}

/** An example id of each kind, by its pattern. */
const IDS = new Map(
  Object.keys(ID_FORMS).map((kind) => [idPattern(kind as IdKind), exampleId(kind as IdKind)]),
);

/** Returns an example of a property that fits its schema, or undefined. */
export function exampleOf(name: string, schema: Json): unknown {
  if ('examples' in schema || 'enum' in schema || 'const' in schema) return undefined;
  const { type, pattern } = schema;
  if (type === 'string' && typeof pattern === 'string' && IDS.has(pattern)) return IDS.get(pattern);
  if (type === 'integer' && TIMESTAMP.test(name)) return EXAMPLES['nowTimestamp'];
  const example = EXAMPLES[name];
  const fits = type === (typeof example === 'number' ? 'integer' : typeof example);
  return fits && inPattern(pattern, example) ? example : undefined;
}

function inPattern(pattern: unknown, example: unknown): boolean {
  return typeof pattern !== 'string' || new RegExp(pattern).test(String(example));
}

/** Returns the document with an example on each schema property that has one. */
export function withExamples(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withExamples);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'properties' ? propertiesWithExamples(value as Json) : withExamples(value),
  ]);
  return Object.fromEntries(parts);
}

function propertiesWithExamples(properties: Json): Json {
  const parts = Object.entries(properties).map(([name, property]) => {
    const inside = withExamples(property) as Json;
    const example = exampleOf(name, inside);
    return [name, example === undefined ? inside : { ...inside, examples: [example] }];
  });
  return Object.fromEntries(parts) as Json;
}
