import { DIFFERENCE_KINDS, type DifferenceKind } from './judge/difference.ts';
import type { PlacedDifference } from './judge/place-differences.ts';

const isKind = (kind: string): kind is DifferenceKind => kind in DIFFERENCE_KINDS;

/** Kinds that are of the whole body where they name no member. */
const BODY_KINDS: readonly string[] = ['missing', 'added', 'type', 'null'];

/** Returns a difference in words: of what, and what each server says. */
export function differenceText({ example }: Pick<PlacedDifference, 'example'>): {
  what: string;
  difference: string;
} {
  const { operation, member, kind, here, there } = example;
  const words = isKind(kind) && DIFFERENCE_KINDS[kind];
  const values = `here ${here}, there ${there}`;
  const isBody = member === '' && BODY_KINDS.includes(kind);
  const of = isBody ? 'the body' : member;
  return {
    what: of === '' ? operation : `${operation}, ${of}`,
    difference: words ? `${words}: ${values}` : values,
  };
}
