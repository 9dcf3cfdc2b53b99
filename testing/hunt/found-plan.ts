import type { HuntResult } from './hunt-options.ts';
import type { FoundPlan } from './search-plans.ts';
import { exampleOf, runOf } from './examples/example-plan.ts';
import { shortStory } from './story/short-story.ts';
import type { Trial } from './trial.ts';

type Found = NonNullable<HuntResult['found']>;

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
