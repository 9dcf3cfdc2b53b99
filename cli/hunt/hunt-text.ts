import { describeFault, type HuntedFault } from '../../testing/hunt/hunted-fault.ts';
import type { HuntCounts, PlansWithError } from '../../testing/hunt/hunt-tally.ts';
import type { HuntFound } from './hunt-engine.ts';
import { describeStory } from '../../testing/hunt/story/story-text.ts';
import { alignColumns, sanitizeText } from '../command-line/output.ts';
import { lessonLines } from './hunt-lesson.ts';

/** Returns what a hunt has tried, as lines for people: the places where its faults struck, and what it did not test. */
export function triedLines({ tried, notJudged, thrown, unfinished, warnings }: HuntCounts): string[] {
  const rows = tried.map(({ at, what, happened, planned, struck, why }) => [
    at,
    what,
    `${happened}`,
    `${struck} of ${planned}`,
    why ?? '',
  ]);
  const table = alignColumns([['at', 'what', 'happened', 'struck', ''], ...rows]);
  return [
    ...(tried.some(({ planned }) => planned > 0) ? table.map((line) => `  ${line}`) : []),
    ...errorLines('not judged', notJudged),
    ...errorLines('the shop threw', thrown),
    ...(unfinished > 0
      ? [`${plansOf(unfinished)} judged before the scenario had ended: it ran, or waited for what never came`]
      : []),
    ...warnings.map((warning) => `warning: ${sanitizeText(warning)}`),
  ];
}

/** Returns the errors of plans that could not be judged, in one sentence; undefined when all were. */
export function notJudgedSentence({ notJudged }: Pick<HuntCounts, 'notJudged'>): string | undefined {
  const [first] = notJudged;
  if (!first) return undefined;
  const plans = notJudged.reduce((sum, each) => sum + each.plans, 0);
  return `${plansOf(plans)} not judged: ${first.error}`;
}

function errorLines(title: string, errors: readonly PlansWithError[]): string[] {
  return errors.flatMap(({ error, plans, first }) => [
    `${title}, in ${plans} ${plans === 1 ? 'plan' : 'plans'}: ${sanitizeText(error)}`,
    ...faultLines(first),
  ]);
}

/** Returns what happened under a plan, under a heading; nothing where nothing did. */
export function storyLines(found: Pick<HuntFound, 'story' | 'orders'>): string[] {
  const lines = describeStory(found).map((line) => `  ${sanitizeText(line)}`);
  return lines.length === 0 ? [] : ['what happened:', ...lines];
}

/** Returns in how many of its runs a plan went wrong. */
function confirmedText({ runs, wrong }: HuntFound['confirmed']): string {
  if (runs === 1) return 'it went wrong in its only run: the hunt ended before it was tried again';
  if (wrong === runs) return `it went wrong in each of ${runs} runs`;
  return `it went wrong in ${wrong} of ${runs} runs: what the shop does depends on something besides the sandbox, such as real time`;
}

/** Returns the faults of a plan, a line each. */
export function faultLines(plan: readonly HuntedFault[]): string[] {
  if (plan.length === 0) return ['  without any fault'];
  return plan.map((fault) => `  ${sanitizeText(describeFault(fault))}`);
}

function plansOf(count: number): string {
  return count === 1 ? '1 plan was' : `${count.toLocaleString('en')} plans were`;
}

/** Returns that nothing was found, and in how many plans. */
export function nothingFoundText(
  { plans, notReached, endedBy }: Pick<HuntCounts, 'plans' | 'notReached' | 'endedBy'>,
  seed: string,
): string {
  const interrupted = endedBy === 'stop' ? 'interrupted, ' : '';
  const missed = notReached > 0 ? `; in ${notReached} of them a fault was not reached` : '';
  return `${interrupted}nothing found: ${plans} plans tried, seed ${sanitizeText(seed)}${missed}`;
}

interface FoundText {
  seed: string;
  plans: number;
  /** The command line that repeats it. */
  again: string;
}

/** A find whose trace is in a file. */
type WrittenFind = Omit<HuntFound, 'trace'> & { trace: string };

/** Returns what a hunt has found, as lines for people. */
export function foundLines(finds: readonly WrittenFind[], { seed, plans, again }: FoundText): string[] {
  const inPlans = `${plans} ${plans === 1 ? 'plan' : 'plans'}, seed ${seed}`;
  const [only, ...others] = finds;
  const lines =
    only && others.length === 0
      ? [`found after ${inPlans}: ${only.verdict}`, ...linesOf(only)]
      : [
          `found ${finds.length} defects in ${inPlans}`,
          ...finds.flatMap((found, index) => [`defect ${index + 1}: ${found.verdict}`, ...linesOf(found)]),
        ];
  return [...lines, `repeat it:  ${again}`].map(sanitizeText);
}

/** Returns what there is to say of a find below its verdict. */
function linesOf(found: WrittenFind): string[] {
  const output = found.output?.trim() ?? '';
  return [
    ...faultLines(found.plan),
    ...storyLines(found),
    confirmedText(found.confirmed),
    ...lessonLines(found.plan),
    ...(output === '' ? [] : ['the shop printed:', ...output.split('\n').map((line) => `  ${line}`)]),
    ...(found.keptIn === undefined ? [] : [`kept in:    ${found.keptIn}, which is tried first next time`]),
    `look at it: tapbench trace --open ${found.trace}`,
  ];
}
