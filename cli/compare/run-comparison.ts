import type { CommandContext } from '../command-line/command-context.ts';
import type { DeclaredApi } from './declared-api.ts';
import { compareEventsAgain } from './events-again.ts';
import { compareRuns, createKnownOfBoth } from './judge/compare-runs.ts';
import { reasonOfNeed, type Need } from './needs.ts';
import type { ScenarioResult } from './result.ts';
import { isAtEnd, knownTo, runScenario, type ScenarioRun, type Target } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

/** One of the two servers, with what does its hand steps. */
export interface Side {
  target: Target;
  /** The same server, also once the command was interrupted. */
  lasting: Target;
  askHand(text: string): Promise<boolean>;
}

interface ComparisonParts {
  here: Side;
  there: Side;
  api: DeclaredApi;
  given: unknown;
  /** Results of a run that was broken off: what was shown to its end is not run again. */
  earlier: readonly ScenarioResult[];
  uniqueText(): string;
  /** Returns what a scenario needs that was not given. */
  needOf(scenario: Scenario): Need | undefined;
  /** Names of the scenarios that were asked for: they are not shown where they need something. */
  asked: readonly string[];
  onResult(result: ScenarioResult): void;
  /** Called with the scenarios whose events could not be looked at again. */
  onUnread(scenarios: readonly string[]): void;
}

/** After so many scenarios without a reply the rest is not run. */
const UNREACHABLE_MAX = 3;

/**
 * Runs scenarios at both servers at the same time, one after another, and compares what they did.
 * @param lasting context that goes on after an interruption
 * @throws the reason of the interruption, when what was made has been removed
 */
export async function runComparison(
  context: Pick<CommandContext, 'clock' | 'interrupted'>,
  lasting: Pick<CommandContext, 'clock' | 'interrupted'>,
  scenarios: readonly Scenario[],
  parts: ComparisonParts,
): Promise<void> {
  const { here, there, api, given, uniqueText, onResult } = parts;
  const runs = { here: new Map<string, ScenarioRun>(), there: new Map<string, ScenarioRun>() };
  const known = createKnownOfBoth();
  const results: ScenarioResult[] = [];
  let unreachable = 0;
  const run = (side: 'here' | 'there', scenario: Scenario) => {
    const { target, lasting: lastingTarget, askHand } = side === 'here' ? here : there;
    const { takesMetadata } = api;
    return runScenario(
      context,
      scenario,
      { target, known: knownTo(scenario, given, runs[side]), unique: uniqueText(), takesMetadata, askHand },
      { context: lasting, target: lastingTarget },
    );
  };
  try {
    for (const scenario of leftOf(scenarios, parts.earlier)) {
      context.interrupted.throwIfAborted();
      const { name, title, rules, choices } = scenario;
      const head = { name, title, rules, choices };
      const need = parts.needOf(scenario);
      if (need !== undefined) {
        const needs = parts.asked.includes(name) ? null : need;
        onResult({ ...head, differences: [], notShown: reasonOfNeed(need), needs });
        continue;
      }
      const [ours, theirs] = await Promise.all([run('here', scenario), run('there', scenario)]);
      runs.here.set(scenario.name, ours);
      runs.there.set(scenario.name, theirs);
      context.interrupted.throwIfAborted();
      const { differences, notShown } = compareRuns(scenario, { here: ours, there: theirs }, api, known);
      results.push({ ...head, differences, notShown: notShown ?? null, needs: null });
      onResult(results.at(-1)!);
      if (theirs.stopped?.isUnreachable) unreachable += 1;
      else if (theirs.observations.length > 0) unreachable = 0;
      if (unreachable >= UNREACHABLE_MAX) return;
    }
    const targets = { here: here.target, there: there.target };
    const { found: again, unread } = await compareEventsAgain(scenarios, runs, targets);
    if (unread.length > 0) parts.onUnread(unread);
    for (const result of results) {
      const found = again.get(result.name);
      if (found) onResult({ ...result, differences: [...result.differences, ...found] });
    }
  } finally {
    await Promise.all([
      removeAtEnd(lasting, { scenarios, side: here, runs: runs.here, api }),
      removeAtEnd(lasting, { scenarios, side: there, runs: runs.there, api }),
    ]);
  }
}

/** Does the steps of scenarios that wait for the end of all. */
async function removeAtEnd(
  lasting: Pick<CommandContext, 'clock' | 'interrupted'>,
  parts: Pick<ComparisonParts, 'api'> & {
    scenarios: readonly Scenario[];
    side: Side;
    runs: ReadonlyMap<string, ScenarioRun>;
  },
): Promise<void> {
  const { lasting: target, askHand } = parts.side;
  for (const scenario of parts.scenarios) {
    const run = parts.runs.get(scenario.name);
    if (!run || !scenario.steps.some(isAtEnd)) continue;
    const { unique, replies: known } = run;
    const { takesMetadata } = parts.api;
    const again = { target, unique, known, takesMetadata, askHand, isEnd: true };
    await runScenario(lasting, scenario, again, { context: lasting, target });
  }
}

/** Returns the scenarios without those that were shown before, but with what the others use. */
function leftOf(scenarios: readonly Scenario[], earlier: readonly ScenarioResult[]): Scenario[] {
  const shown = new Set(earlier.flatMap(({ name, notShown }) => (notShown === null ? [name] : [])));
  const left = new Set(scenarios.filter(({ name }) => !shown.has(name)));
  // A scenario stands after those that it uses.
  for (const scenario of scenarios.toReversed())
    if (left.has(scenario))
      for (const used of scenarios.filter(({ name }) => scenario.uses?.includes(name))) left.add(used);
  return scenarios.filter((scenario) => left.has(scenario));
}
