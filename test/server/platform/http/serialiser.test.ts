import { expect, test } from 'vitest';
import { Type } from '../../../../protocol/schema.ts';
import { serialiser } from '../../../../server/platform/http/serialiser.ts';

const Address = Type.Object({ city: Type.String(), line: Type.Optional(Type.String()) });

test.each([
  ['text', Type.String(), 'a "b"'],
  ['a number', Type.Integer(), 7],
  ['an object', Address, { city: 'Leeds', line: 'High Street' }],
  ['a list', Type.Array(Type.Union([Address, Type.Null()])), [{ city: 'Leeds' }, null]],
  ['a member named anyOf', Type.Object({ anyOf: Type.String() }), { anyOf: 'x' }],
] as const)('serialiser: writes %s or null', (_, schema, value) => {
  const write = serialiser(Type.Object({ value: Type.Union([schema, Type.Null()]) }));
  expect(write({ value })).toBe(JSON.stringify({ value }));
  expect(write({ value: null })).toBe('{"value":null}');
});

test('serialiser: writes the member of a union that the value is', () => {
  const Sale = Type.Object({ kind: Type.Literal('sale'), amount: Type.Integer() });
  const Note = Type.Object({ kind: Type.Literal('note'), text: Type.Union([Type.String(), Type.Null()]) });
  const write = serialiser(Type.Union([Sale, Note]));
  for (const value of [
    { kind: 'sale', amount: 7 },
    { kind: 'note', text: null },
    { kind: 'note', text: 'x' },
  ]) {
    expect(write(value)).toBe(JSON.stringify(value));
  }
});

test('serialiser: leaves out what the schema does not declare, inside a value that may be null too', () => {
  const write = serialiser(Type.Object({ address: Type.Union([Address, Type.Null()]) }));
  expect(write({ address: { city: 'Leeds', secret: 's' }, secret: 's' })).toBe(
    '{"address":{"city":"Leeds"}}',
  );
});
