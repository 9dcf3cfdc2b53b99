import { logHunt } from '../run-log/run-log-writer.ts';
import { keepExample } from './examples/given-examples.ts';
import type { FoundPlan } from './finds.ts';
import type { Found, HuntOptions } from './hunt-options.ts';
import { loggedHunt, type HuntCounts } from './hunt-tally.ts';
import { exampleOf, runOf } from './examples/example-plan.ts';
import { shortStory } from './story/short-story.ts';
import { describeStory } from './story/story-text.ts';
import type { WrongMoment } from './story/wrong-moment.ts';
import { maskSecretsInText } from '../../server/platform/mask-secrets.ts';
import { traceFile } from '../../server/traces/trace-file.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { Trial } from './trial.ts';

/** What the hunt knows of a plan that it found. */
interface FoundParts extends FoundPlan<Trial>, Pick<Found, 'seed' | 'confirmed'> {
  trace: Trace;
  /** When it goes wrong; undefined where that is not known. */
  moment?: WrongMoment | undefined;
}

/**
 * Returns what a hunt says of the plan that it found, with a trace that says so too. A test that fails does not print each
 * byte of that.
 */
export async function foundOf(parts: FoundParts): Promise<Found> {
  const { seed, plan, confirmed, trial, calm, moment, trace } = parts;
  const example = exampleOf(plan, runOf(trial));
  const story = shortStory(trial.story(), calm.story(), moment);
  const { verdict = '', verdictName = 'books' } = trial;
  const { step: _step, ...times } = moment ?? {};
  const orders = trial.orders();
  const lines = describeStory({ story, orders }).map((line) => maskSecretsInText(line));
  trace.summary.found = { verdict: maskSecretsInText(verdict), story: lines };
  const found: Found = {
    seed,
    plan,
    verdict,
    verdictName,
    confirmed,
    story,
    ...times,
    example,
    orders,
    trace: await traceFile(trace),
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
