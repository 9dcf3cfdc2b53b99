import { Type, type Static } from '../../../protocol/schema.ts';
import { keysOf } from '../../../protocol/tables.ts';

/** In what two replies can differ. */
export const DIFFERENCE_KINDS = {
  status: 'the status code',
  code: 'the code of an error',
  fields: 'the names of the fields in an error',
  type: 'the type',
  null: '',
  // The values say it.
  missing: '',
  added: '',
  value: 'the value',
  form: 'the form',
  time: 'the time',
  identity: 'which object it names',
  order: 'the order of the list',
  count: 'the number of items',
  outcome: 'what was awaited',
  content: 'the type of the content',
} as const;

/** Where a difference belongs. */
export const PLACES = {
  rule: 'A rule of the specification is broken',
  fact: 'A documented fact is wrong',
  choice: 'A choice is refuted',
  new: 'New at the service',
  extension: 'An extension of Tapbench',
} as const;
export type Place = keyof typeof PLACES;

const KINDS = Object.keys(DIFFERENCE_KINDS);

/** Something in which a reply of the other server differs from ours. Its values are masked. */
export const Difference = Type.Object({
  scenario: Type.String({ maxLength: 200 }),
  /** Position of the step in the scenario. */
  step: Type.Integer({ minimum: 0 }),
  operation: Type.String({ maxLength: 300 }),
  kind: Type.Enum(KINDS),
  /** Such as `items.*.amount`; empty for the reply as a whole. */
  member: Type.String({ maxLength: 500 }),
  here: Type.String({ maxLength: 500 }),
  there: Type.String({ maxLength: 500 }),
  /** The extension of ours that the member belongs to; null for none. */
  extension: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
  /** Whether our documents do not know the member. */
  isUnknown: Type.Boolean(),
  /** Where its scenario puts it. */
  place: Type.Enum(keysOf(PLACES)),
  /** Ids of the rules, headings of the choices, or names of the extensions that it concerns. */
  concerns: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 50 }),
});
export type Difference = Static<typeof Difference>;
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

/** A difference before it is put to its scenario. */
export type Found = Pick<Difference, 'member' | 'here' | 'there' | 'extension' | 'isUnknown'> & {
  kind: DifferenceKind;
};
