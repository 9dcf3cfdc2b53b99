import { logHunt } from '../run-log/run-log-writer.ts';
import { keepExample } from './examples/given-examples.ts';
import type { FoundPlan } from './finds.ts';
import type { Found, HuntOptions } from './hunt-options.ts';
import { loggedHunt, type HuntCounts } from './hunt-tally.ts';
import { exampleOf, runOf } from './examples/example-plan.ts';
import { shortStory } from './story/short-story.ts';
import type { Trial } from './trial.ts';

/** Returns what a hunt says of the plan that it found. A test that fails does not print each byte of the trace. */
export function foundOf(
  { seed, plan, confirmed, trial, calm }: FoundPlan<Trial> & Pick<Found, 'seed' | 'confirmed'>,
  trace: Buffer,
): Found {
  const example = exampleOf(plan, runOf(trial));
  const story = shortStory(trial.story(), calm.story());
  const { verdict = '', verdictName = 'books' } = trial;
  const found: Found = {
    seed,
    plan,
    verdict,
    verdictName,
    confirmed,
    story,
    example,
    orders: trial.orders(),
    trace,
  };
  return Object.defineProperty(found, 'trace', { enumerable: false });
}

/**
 * Returns the result of a hunt, once its finds are added to the file of plans, and the report of a test run knows it.
 */
export async function resultOf<F extends Found>(
  counts: HuntCounts,
  finds: readonly F[],
  options: Pick<HuntOptions, 'all' | 'plan' | 'hunts'> & { seed: number | string },
): Promise<HuntCounts & { found?: F; others?: F[] }> {
  const warnings = finds.flatMap((found) => keepExample(options, found));
  const all = { ...counts, warnings: [...counts.warnings, ...warnings] };
  await logHunt(loggedHunt(all, { seed: options.seed, finds }));
  const [found, ...others] = finds;
  return { ...all, ...(found && { found }), ...(options.all && { others }) };
}
