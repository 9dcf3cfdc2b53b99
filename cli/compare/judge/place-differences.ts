import type { Scenario } from '../scenario.ts';
import type { Difference, DifferenceKind, Place } from './difference.ts';

/** The same difference of one operation in all scenarios that have it. */
export interface PlacedDifference {
  place: Place;
  /** What it concerns in each scenario that has it. */
  concerns: string[];
  /** The first of them; the others differ in values at most. */
  example: Omit<Difference, 'place' | 'concerns'>;
  scenarios: string[];
}

/**
 * Puts the differences of all scenarios together. The same member of the same operation is one difference, in however many
 * scenarios it is. A rule that it breaks in one of them is broken, whatever a choice decides in the others. Where they put it
 * to other places, it belongs to none of them: a documented fact is wrong.
 */
export function placeDifferences(differences: readonly Difference[]): PlacedDifference[] {
  const groups = new Map<string, Difference[]>();
  for (const one of differences) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()].map((group) => {
    const { place: _, concerns: __, ...example } = group[0]!;
    const scenarios = [...new Set(group.map(({ scenario }) => scenario))];
    return { ...placeOfAll(group), example, scenarios };
  });
}

function placeOfAll(group: readonly Difference[]): Pick<PlacedDifference, 'place' | 'concerns'> {
  const isUndecided = group.every(({ place }) => place === 'rule' || place === 'choice');
  const rules = group.filter(({ place }) => place === 'rule');
  const deciding = isUndecided && rules.length > 0 ? rules : group;
  const { place } = deciding[0]!;
  const concerns = inAll(deciding.map((one) => one.concerns));
  const hasOne = concerns.length > 0 || deciding.every((one) => one.concerns.length === 0);
  const isAgreed = hasOne && deciding.every((one) => one.place === place);
  return isAgreed ? { place, concerns } : { place: 'fact', concerns: [] };
}

/** Those of which the values say what the difference is. */
const BY_VALUES: readonly DifferenceKind[] = ['status', 'code', 'content'];

function keyOf({ operation, kind, member, here, there }: Difference): string {
  const isByValues = BY_VALUES.some((one) => one === kind);
  // The type of the content is that of a server, whatever it is asked.
  const of = kind === 'content' ? '' : operation;
  return JSON.stringify([of, kind, member, ...(isByValues ? [here, there] : [])]);
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
