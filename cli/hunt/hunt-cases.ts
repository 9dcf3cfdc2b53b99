import type { JudgedCases } from '../command-line/junit-option.ts';
import { describeFault } from '../../testing/hunt/hunted-fault.ts';
import type { HuntResult } from './hunt-engine.ts';

/**
 * Returns the result of a hunt as two test cases: the scenario without faults, and under plans of faults. The second is
 * skipped, not passed, when no plan has shown anything.
 * @param again the command line that repeats the hunt
 */
export function huntCases(
  { plans, notReached, found }: HuntResult,
  seed: string,
  again: string,
): JudgedCases {
  const calm = 'without faults';
  const faulty = `under plans of faults, seed ${seed}`;
  // The scenario without faults is counted too.
  const tried = plans - 1;
  if (!found)
    return [
      { name: calm, outcome: { kind: 'passed' } },
      { name: faulty, outcome: calmOutcome(tried, notReached) },
    ];
  const faults = found.plan.map((fault) => `  ${describeFault(fault)}`);
  const details = [found.verdict, ...faults, ...(found.output?.trim() ? [found.output.trim()] : []), again];
  const outcome = { kind: 'failed', message: found.verdict, details: details.join('\n') } as const;
  if (found.plan.length > 0)
    return [
      { name: calm, outcome: { kind: 'passed' } },
      { name: faulty, outcome },
    ];
  return [
    { name: calm, outcome },
    { name: faulty, outcome: { kind: 'skipped', message: 'not tried: it goes wrong without any fault' } },
  ];
}

function calmOutcome(tried: number, notReached: number): JudgedCases[number]['outcome'] {
  if (tried <= 0) return { kind: 'skipped', message: 'no plan of faults was tried' };
  if (notReached >= tried)
    return {
      kind: 'skipped',
      message: `in each of the ${tried} plans that were tried a fault was not reached`,
    };
  return { kind: 'passed' };
}
