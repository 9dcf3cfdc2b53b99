import { expect, test } from 'vitest';
import {
  checker,
  CountryCode,
  CurrencyCode,
  Email,
  Id,
  Metadata,
  Nullable,
  PhoneNumber,
  Type,
  type TSchema,
} from '../../protocol/schema.ts';
import { TEXT_FORMATS } from '../../protocol/text-formats.ts';

function problemsOf(schema: TSchema, value: unknown): string[] {
  return checker(schema)(value).map(({ path, message }) => `${path} ${message}`.trim());
}

test.each<[string, TSchema, unknown, string]>([
  ['an integer', Type.Integer(), '5', 'must be an integer'],
  ['an integer given a fraction', Type.Integer(), 1.5, 'must be an integer'],
  ['a string', Type.String(), 5, 'must be a string'],
  ['an array', Type.Array(Type.String()), 'a', 'must be an array'],
  ['an object', Type.Object({}), [], 'must be an object'],
  ['a boolean', Type.Boolean(), 'yes', 'must be a boolean'],
  ['a constant', Type.Literal('card'), 'cash', 'must be one of: [card]'],
  ['an enum', Type.Enum(['GBP', 'EUR']), 'XXX', 'must be one of: [GBP, EUR]'],
  ['a minimum', Type.Integer({ minimum: 1 }), 0, 'must be at least 1'],
  ['a maximum', Type.Integer({ maximum: 50 }), 51, 'must be at most 50'],
  ['an empty text', Type.String({ minLength: 1 }), '', 'must not be empty'],
  ['a short text', Type.String({ minLength: 4 }), 'abc', 'must have at least 4 characters'],
  ['a long text', Type.String({ maxLength: 2 }), 'abc', 'must have at most 2 characters'],
  ['an empty array', Type.Array(Type.String(), { minItems: 1 }), [], 'must have at least 1 item'],
  ['a long array', Type.Array(Type.Integer(), { maxItems: 1 }), [1, 2], 'must have at most 1 item'],
  ['a repeated item', Type.Array(Type.Integer(), { uniqueItems: true }), [1, 1], 'must not repeat an item'],
  ['many entries', Metadata(1), { a: '1', b: '2' }, 'must have at most 1 entry'],
  ['a date', Type.String({ format: 'date' }), '1 May', 'must be a date in the form yyyy-MM-dd'],
  ['an email address', Email, 'sam', 'must be an email address'],
  ['a phone number', PhoneNumber, '0207', 'must be a phone number in E.164 format, such as +447700900123'],
  ['a country', CountryCode, 'UK!', 'must be a two-letter ISO 3166-1 country code in uppercase, such as GB'],
  ['an id', Id('customer'), 'sam', 'must be an id: cus_ and a ULID'],
  ['an id of a UUID', Id('webhook'), 'wh_1', 'must be an id: wh_ and a UUID'],
  [
    'a month',
    Type.String({ pattern: TEXT_FORMATS.month.pattern }),
    '13',
    'must be a month of two digits, 01 to 12',
  ],
  ['any other pattern', Type.String({ pattern: '^x$' }), 'y', 'must be a string that matches ^x$'],
])('schema problems: %s is described in words', (_what, schema, value, message) => {
  expect(problemsOf(schema, value)).toEqual([message]);
});

test('schema problems: a currency that the server does not know gets the list of those it knows', () => {
  expect(problemsOf(CurrencyCode, 'gbp')[0]).toMatch(/^must be one of: \[GBP, /);
});

test('schema problems: a missing and an unknown field are named by their paths', () => {
  const schema = Type.Object({ card: Type.Object({ name: Type.String() }, { additionalProperties: false }) });
  expect(problemsOf(schema, { card: { pan: '1' } })).toEqual([
    'card.name is required',
    'card.pan is not a known field',
  ]);
});

test('schema problems: a union of types names the types once', () => {
  const schema = Type.Object({ size: Type.Union([Type.Number(), Type.String()]) });
  expect(problemsOf(schema, { size: true })).toEqual(['size must be a number or a string']);
  expect(problemsOf(Type.Object({ note: Nullable(Type.String()) }), { note: 5 })).toEqual([
    'note must be a string or null',
  ]);
});

test('schema problems: a union of objects has the problems of the branch that the value was meant for', () => {
  const act = Type.Union([
    Type.Object({ act: Type.Literal('power'), state: Type.Enum(['on', 'off']) }),
    Type.Object({ act: Type.Literal('paper'), sheets: Type.Integer({ minimum: 0 }) }),
  ]);
  const schema = Type.Object({ act, delay: Type.Integer() });
  expect(problemsOf(schema, { act: { act: 'paper', sheets: -1 }, delay: 'x' })).toEqual([
    'act.sheets must be at least 0',
    'delay must be an integer',
  ]);
  expect(problemsOf(schema, { act: { act: 'rain' }, delay: 1 })).toEqual([
    'act.act must be one of: [power, paper]',
  ]);
  expect(problemsOf(schema, { act: 'paper', delay: 1 })).toEqual(['act must be an object']);
  const nullable = Type.Object({ act: Nullable(act) });
  expect(problemsOf(nullable, { act: { act: 'paper', sheets: -1 } })).toEqual([
    'act.sheets must be at least 0',
  ]);
});

test('schema problems: a union of ten objects has the problem of the branch that the value was meant for', () => {
  const branches = Array.from({ length: 10 }, (_, index) =>
    Type.Object({ act: Type.Literal(`act-${index}`), sheets: Type.Integer({ minimum: 0 }) }),
  );
  expect(problemsOf(Type.Union(branches), { act: 'act-9', sheets: -1 })).toEqual([
    'sheets must be at least 0',
  ]);
});
