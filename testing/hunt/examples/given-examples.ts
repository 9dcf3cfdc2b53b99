import { messageOf } from '../../../protocol/failures.ts';
import type { Found, HuntOptions } from '../hunt-options.ts';
import type { ExamplePlan } from './example-plan.ts';
import { addExample, assertExample, readExamples } from './example-file.ts';

type Given = Pick<HuntOptions, 'plan' | 'examples' | 'hunts'>;

/**
 * Returns the plans that a hunt tries first, and whether it tries no others.
 * @throws Error that names what is wrong with a plan or with the file
 */
export function givenExamples({ plan, examples = [], hunts }: Given): {
  examples: ExamplePlan[];
  isAlone: boolean;
} {
  if (plan) assertExample(plan, 'hunt: plan');
  examples.forEach((example, index) => assertExample(example, `hunt: examples.${index}`));
  const kept = hunts === undefined ? [] : readExamples(hunts).map(({ faults }) => faults);
  return plan ? { examples: [plan], isAlone: true } : { examples: [...examples, ...kept], isAlone: false };
}

/**
 * Adds what a hunt found to its file, and notes that in it. What goes wrong without faults is no plan, and is found anyway.
 * Returns warnings: why it could not be added.
 */
export function keepExample({ plan, hunts }: Given, found: Found): string[] {
  if (hunts === undefined || plan || found.plan.length === 0) return [];
  try {
    found.keptIn = addExample(hunts, { verdict: found.verdict, faults: found.example });
    return [];
  } catch (thrown) {
    return [`what was found is not in ${hunts}: ${messageOf(thrown)}`];
  }
}
