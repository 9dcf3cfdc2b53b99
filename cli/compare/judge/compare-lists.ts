import { isObject } from '../../../protocol/outside-json.ts';
import type { DifferenceKind, Found } from './difference.ts';
import { idFormOf } from './text-forms.ts';
import type { Pairs } from './pairs.ts';

export interface ListContext {
  pairs: Pairs;
  /** Ids of what the run made, at each server. */
  made: { here: ReadonlySet<string>; there: ReadonlySet<string> };
  /** Whether the reply is of an account that the run made: then all in it is of the run. */
  isOwnAccount: boolean;
  /** Whether the path or the query asks for what the run made alone, such as the customer of an address. */
  isBounded: boolean;
  /** The texts in the path and the query, at each server. */
  scope: readonly { here: string; there: string }[];
}

/** What compares the parts of two lists. */
interface Compare {
  items(here: unknown, there: unknown): Found[];
  /** Whether two items differ in nothing, without any consequence for what comes later. */
  areAlike(here: unknown, there: unknown): boolean;
  /** Says that the lists differ. */
  list(kind: DifferenceKind): Found[];
  /** Compares an item of the other server with what our documents say. */
  shape(there: unknown): Found[];
}

/** How many of the items that others made are looked at. */
const OTHERS_MAX = 20;
/** The members of a page that have its items: payouts have both. */
const PAGES = ['items', 'payouts'];

/**
 * Compares two lists. In a page of a list only what the run made is compared item by item, in its order: the other account
 * has more objects, of which only the form is looked at. Lists in an object are compared whole.
 */
export function compareLists(
  here: readonly unknown[],
  there: readonly unknown[],
  path: readonly string[],
  context: ListContext,
  compare: Compare,
): Found[] {
  const isPage = path.length === 1 && PAGES.includes(path[0]!);
  if (!isPage || context.isOwnAccount) return compareWhole(here, there, context, compare);
  const [ours, theirs] = [
    here.filter((item) => isMade(item, context.made.here)),
    there.filter((item) => isMade(item, context.made.there)),
  ];
  const isWholeHere = ours.length === here.length;
  const others = there.filter((item) => !theirs.includes(item));
  const strange = context.isBounded ? others.filter((item) => idsIn(item).length > 0) : [];
  // Of what the run made, a page of ours has all: more of it, or else what others made, was not asked for.
  if (isWholeHere && (theirs.length > ours.length || strange.length > 0))
    return compare.list('count').map((one) => ({
      ...one,
      here: `${ours.length} of the run`,
      there: `${theirs.length} of the run, ${others.length} others`,
    }));
  // Items of others may fill a page, so that some of ours are not in it.
  const isCrowded = !context.isBounded && (others.length > 0 || !isWholeHere);
  const inOthers = once(others.slice(0, OTHERS_MAX).flatMap((item) => compare.shape(item)));
  const found = [...compareWhole(ours, theirs, context, compare, isCrowded), ...inOthers];
  const isOtherCount = found.some(({ kind }) => kind === 'count');
  return isOtherCount ? found : once([...found, ...compareWithAsked(here, there, context, compare)]);
}

/** Compares what was asked for by its value, such as balances in two currencies, or the files of a category. */
function compareWithAsked(
  here: readonly unknown[],
  there: readonly unknown[],
  { scope }: ListContext,
  compare: Compare,
): Found[] {
  const [ours, theirs] = [here.filter(isObject), there.filter(isObject)];
  return scope.flatMap((asked) => {
    const has = (item: Record<string, unknown>, text: string) =>
      item['id'] === undefined && Object.values(item).includes(text);
    if (ours.some((item) => has(item, asked.here)) && !theirs.some((item) => has(item, asked.there)))
      return compare
        .list('count')
        .map((one) => ({ ...one, here: `one with "${asked.here}"`, there: 'none' }));
    const names = Object.keys(ours[0] ?? {}).filter((name) =>
      ours.every((item) => item[name] === asked.here),
    );
    const strange = names.filter((name) =>
      theirs.some((item) => (item[name] ?? asked.there) !== asked.there),
    );
    return strange.flatMap((name) =>
      compare.list('value').map((one) => ({
        ...one,
        member: `${one.member}.*.${name}`,
        here: 'as was asked for',
        there: 'another',
      })),
    );
  });
}

/** Returns whether a page has items that the run did not make. */
export function hasOthers(body: unknown, { made }: ListContext): boolean {
  const items = isObject(body) ? body['items'] : undefined;
  return Array.isArray(items) && items.some((item) => !isMade(item, made.here) && !isMade(item, made.there));
}

/** The same difference in several items is one. */
function once(found: readonly Found[]): Found[] {
  return [...new Map(found.map((one) => [`${one.kind} ${one.member}`, one])).values()];
}

function compareWhole(
  here: readonly unknown[],
  there: readonly unknown[],
  { pairs }: ListContext,
  compare: Compare,
  mayHaveFewer = false,
): Found[] {
  if (here.length !== there.length) return mayHaveFewer ? [] : compare.list('count');
  // What is known from before shows whether they stand in the same order.
  const places = here.map((item) => {
    const id = pairs.thereOf(nameOf(item) ?? '');
    return id === undefined ? -1 : there.findIndex((other) => nameOf(other) === id);
  });
  const known = places.filter((place) => place >= 0);
  const isSame = known.every((place, index) => index === 0 || place > known[index - 1]!);
  const isOtherOrder = !isSame || areOtherwiseOrdered(here, there, compare);
  if (!isOtherOrder) return once(here.flatMap((item, index) => compare.items(item, there[index])));
  const matched = here.flatMap((item, index) => {
    const place = places[index]!;
    return place < 0 ? [] : compare.items(item, there[place]);
  });
  return [...compare.list('order'), ...once(matched)];
}

const ORDERED_MAX = 50;

/** Whether each item of a list is like one of the other list, but not in the same order. */
function areOtherwiseOrdered(here: readonly unknown[], there: readonly unknown[], compare: Compare): boolean {
  if (here.length > ORDERED_MAX || here.every((item, index) => compare.areAlike(item, there[index])))
    return false;
  const left = [...there];
  return here.every((item) => {
    const place = left.findIndex((other) => compare.areAlike(item, other));
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

function nameOf(item: unknown): string | undefined {
  const id = isObject(item) ? item['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

export function isMade(item: unknown, made: ReadonlySet<string>): boolean {
  return idsIn(item).some((id) => made.has(id));
}

const ACCOUNT = 'ac_';

/**
 * Returns the ids in a value, of any depth. Those of accounts only where the value is the account itself: all that an
 * account has may name it.
 */
export function idsIn(value: unknown, isOuter = true): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => idsIn(item, false));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) =>
      isOuter && name === 'id' && typeof member === 'string' ? [member] : idsIn(member, false),
    );
  if (typeof value !== 'string' || value.startsWith(ACCOUNT)) return [];
  return idFormOf(value) === undefined ? [] : [value];
}
