import { expect, test } from 'vitest';
import { Type } from '../../../../protocol/schema.ts';
import {
  asExtension,
  schemaWithoutExtensions,
  valueWithoutExtensions,
} from '../../../../server/platform/http/extensions.ts';
import { serialiser } from '../../../../server/platform/http/serialiser.ts';

const Fee = Type.Object({ amount: Type.Integer(), total: asExtension('conversion-total', Type.Integer()) });
const Reply = Type.Object({
  id: Type.String(),
  items: Type.Array(Type.Object({ fee: Type.Optional(Fee) })),
  update: asExtension('conversion-update', Type.Optional(Type.Integer())),
});
const WHOLE = { id: 'a', items: [{ fee: { amount: 1, total: 1 } }, {}], update: 7 };
const STRICT = { id: 'a', items: [{ fee: { amount: 1 } }, {}] };

test('without extensions: a value and a reply lose the marked members, at any depth', () => {
  expect(valueWithoutExtensions(Reply, WHOLE)).toEqual(STRICT);
  expect(JSON.parse(serialiser(schemaWithoutExtensions(Reply))(WHOLE))).toEqual(STRICT);
  // The members that are left are required as before.
  expect(JSON.parse(serialiser(schemaWithoutExtensions(Reply))(STRICT))).toEqual(STRICT);
  expect(WHOLE.update).toBe(7);
});

test('without extensions: an object that may be null loses its marked members too', () => {
  const MayBeNull = Type.Object({ fee: Type.Union([Fee, Type.Null()]) });
  expect(valueWithoutExtensions(MayBeNull, { fee: { amount: 1, total: 1 } })).toEqual({ fee: { amount: 1 } });
  expect(valueWithoutExtensions(MayBeNull, { fee: null })).toEqual({ fee: null });
});

test('without extensions: a schema that has none stays the same object', () => {
  const plain = Type.Object({
    id: Type.String(),
    list: Type.Array(Type.Union([Type.String(), Type.Null()])),
  });
  expect(schemaWithoutExtensions(plain)).toBe(plain);
});
