import { Type, type Static } from '../../protocol/schema.ts';
import { Difference } from './judge/difference.ts';
import {
  judgeChoices,
  placeDifferences,
  type ChoiceVerdict,
  type PlacedDifference,
} from './judge/place-differences.ts';
import { NEED_NAMES } from './needs.ts';

const Names = Type.Array(Type.String({ maxLength: 500 }), { maxItems: 50 });

/** What came of a scenario. */
export const ScenarioResult = Type.Object({
  name: Type.String({ maxLength: 200 }),
  title: Type.String({ maxLength: 500 }),
  rules: Names,
  choices: Names,
  /** Why not all of it could be shown; null when all was. */
  notShown: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]),
  /** What it needs that the user did not give, where it was not asked for: it was not tried. */
  needs: Type.Union([Type.Enum(NEED_NAMES), Type.Null()]),
  differences: Type.Array(Difference, { maxItems: 1_000 }),
});
export type ScenarioResult = Static<typeof ScenarioResult>;

/** What came of a comparison, as it is stored: nothing in it is a secret or an id of the other server. */
export const StoredComparison = Type.Object({
  /** Version of Tapbench. */
  version: Type.String({ maxLength: 50 }),
  /** Origin of the other server. */
  to: Type.String({ maxLength: 300 }),
  /** Unix timestamp, in seconds. */
  startedTimestamp: Type.Integer(),
  /** How many scenarios there are, also those that were not run. */
  scenarios: Type.Integer({ minimum: 0 }),
  results: Type.Array(ScenarioResult, { maxItems: 5_000 }),
});
export type StoredComparison = Static<typeof StoredComparison>;

interface Counts {
  alike: number;
  differing: number;
  notShown: number;
  /** Needs what the user did not give. */
  notTried: number;
  /** Also what an earlier run left out. */
  notRun: number;
}

/** What a comparison says, made from what is stored. */
export interface JudgedComparison extends StoredComparison {
  counts: Counts;
  differences: PlacedDifference[];
  choices: { choice: string; verdict: ChoiceVerdict; scenarios: string[] }[];
}

/** Returns a comparison with its differences at their places, and what it says of each choice. */
export function judgeComparison(stored: StoredComparison): JudgedComparison {
  const { results } = stored;
  const differences = placeDifferences(results.flatMap((one) => one.differences));
  const shown = results.map((scenario) => ({ scenario, isShown: scenario.notShown === null }));
  return {
    ...stored,
    counts: countsOf(stored),
    differences,
    choices: judgeChoices(shown, differences),
  };
}

function countsOf({ scenarios, results }: StoredComparison): Counts {
  const differing = results.filter((one) => one.differences.length > 0).length;
  const notTried = results.filter(({ needs }) => needs !== null).length;
  const alike = results.filter((one) => one.differences.length === 0 && one.notShown === null).length;
  const notShown = results.length - differing - notTried - alike;
  return { alike, differing, notShown, notTried, notRun: scenarios - results.length };
}

/** Places that do not count against the other server or ours. */
const ALLOWED: readonly string[] = ['choice', 'extension'];

/** Returns whether something differs but choices and extensions. */
export function hasDifference({ differences }: Pick<JudgedComparison, 'differences'>): boolean {
  return differences.some(({ place }) => !ALLOWED.includes(place));
}

/** Returns whether nothing was shown, or a scenario that was tried was not run or not shown to its end. */
export function isIncomplete({ counts, results }: Pick<JudgedComparison, 'counts' | 'results'>): boolean {
  const { alike, differing, notRun } = counts;
  if (alike + differing === 0) return true;
  return notRun > 0 || results.some(({ notShown, needs }) => notShown !== null && needs === null);
}
