import type { Scenario } from '../scenario.ts';
import type { Difference, DifferenceKind } from './difference.ts';

/** Where a difference belongs. */
export const PLACES = {
  rule: 'A rule of the specification is broken',
  fact: 'A documented fact is wrong',
  choice: 'A choice is refuted',
  new: 'New at the service',
  extension: 'An extension of Tapbench',
} as const;
export type Place = keyof typeof PLACES;

/** The same difference of one operation in all scenarios that have it. */
export interface PlacedDifference {
  place: Place;
  /** Ids of the rules, headings of the choices, or names of the extensions that it concerns. */
  concerns: string[];
  /** The first of them; the others differ in values at most. */
  example: Difference;
  scenarios: string[];
}

/**
 * Puts each difference to its place. The same member of the same operation is one difference, in however many scenarios it
 * is. It belongs to the first of these that it can:
 *
 * 1. *an extension*: ours alone has a member that our documents mark as an extension;
 * 2. *new at the service*: only the other server has a member that our documents do not know;
 * 3. *a rule broken*: all scenarios that have the difference show a rule, the same one, and it is of a kind that no choice
 *    decides: only one server succeeds, a value has another type or form, a time is another one, an id is not the same again;
 * 4. *a choice refuted*: all of them show a choice, the same one. The specification leaves open what a choice decides, so a
 *    choice goes before a rule that is shown with it;
 * 5. *a rule broken*: all of them show a rule, the same one;
 * 6. *a documented fact wrong*: nothing else. It is what docs/openapi.json says of the operation, wherever it is used.
 */
export function placeDifferences(
  differences: readonly Difference[],
  scenarios: readonly Pick<Scenario, 'name' | 'rules' | 'choices'>[],
): PlacedDifference[] {
  const groups = new Map<string, Difference[]>();
  for (const one of differences) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()].map((group) => {
    const names = [...new Set(group.map(({ scenario }) => scenario))];
    const shown = names.flatMap((name) => scenarios.find((one) => one.name === name) ?? []);
    return { ...placeOf(group[0]!, shown), example: group[0]!, scenarios: names };
  });
}

function placeOf(
  difference: Difference,
  shown: readonly Pick<Scenario, 'rules' | 'choices'>[],
): Pick<PlacedDifference, 'place' | 'concerns'> {
  const { kind, extension, isUnknown, here } = difference;
  if (kind === 'missing' && extension !== null) return { place: 'extension', concerns: [extension] };
  const isNew = isUnknown && here === ABSENT && ['added', 'null'].includes(kind);
  if (isNew) return { place: 'new', concerns: [] };
  const rules = inAll(shown.map((one) => one.rules));
  if (rules.length > 0 && isNoChoice(difference)) return { place: 'rule', concerns: rules };
  const choices = inAll(shown.map((one) => one.choices));
  if (choices.length > 0) return { place: 'choice', concerns: choices };
  if (rules.length > 0) return { place: 'rule', concerns: rules };
  return { place: 'fact', concerns: [] };
}

/** Kinds that no choice decides. */
const NO_CHOICES: readonly string[] = ['type', 'form', 'time', 'identity'];

function isNoChoice({ kind, here, there }: Difference): boolean {
  if (kind === 'status') return here.startsWith('2') !== there.startsWith('2');
  return NO_CHOICES.includes(kind);
}

const ABSENT = 'absent';
/** Those of which the values say what the difference is. */
const BY_VALUES: readonly DifferenceKind[] = ['status', 'code'];

function keyOf({ operation, kind, member, here, there }: Difference): string {
  const isByValues = BY_VALUES.some((one) => one === kind);
  return JSON.stringify([operation, kind, member, ...(isByValues ? [here, there] : [])]);
}

function inAll(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists;
  return first.filter((one) => others.every((list) => list.includes(one)));
}

export type ChoiceVerdict = 'confirmed' | 'refuted' | 'unknown';

/**
 * Returns what a run says of each choice that its scenarios show: *refuted* where a difference was put to it, *confirmed*
 * where a scenario that shows it was run to its end and differs in nothing but extensions, else *unknown*: what is new may be
 * just what the choice says is not there.
 */
export function judgeChoices(
  results: readonly { scenario: Pick<Scenario, 'name' | 'choices'>; isShown: boolean }[],
  placed: readonly PlacedDifference[],
): { choice: string; verdict: ChoiceVerdict; scenarios: string[] }[] {
  const choices = [...new Set(results.flatMap(({ scenario }) => scenario.choices))].toSorted();
  const differing = new Set(
    placed.filter(({ place }) => place !== 'extension').flatMap((one) => one.scenarios),
  );
  return choices.map((choice) => {
    const shown = results.filter(({ scenario }) => scenario.choices.includes(choice));
    const refuting = placed.filter((one) => one.place === 'choice' && one.concerns.includes(choice));
    const alike = shown.filter(({ scenario, isShown }) => isShown && !differing.has(scenario.name));
    if (refuting.length > 0)
      return {
        choice,
        verdict: 'refuted',
        scenarios: [...new Set(refuting.flatMap((one) => one.scenarios))],
      };
    const names = alike.map(({ scenario }) => scenario.name);
    return { choice, verdict: names.length > 0 ? 'confirmed' : 'unknown', scenarios: names };
  });
}
