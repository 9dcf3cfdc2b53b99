import type { JudgedCases } from '../command-line/junit-option.ts';
import type { HuntFound, HuntResult } from './hunt-engine.ts';
import { lessonLines } from './hunt-lesson.ts';
import { faultLines, notJudgedSentence, storyLines } from './hunt-text.ts';

type Case = JudgedCases[number];

/**
 * Returns the result of a hunt as test cases: the scenario without faults, and under plans of faults; one more for each other
 * defect. The second is an error, not passed, when plans could not be judged or the hunt was interrupted.
 * @param again the command line that repeats the hunt
 */
export function huntCases(
  { found, others = [], ...counts }: Pick<HuntResult, 'found' | 'others' | 'notJudged' | 'endedBy' | 'plans'>,
  seed: string,
  again: string,
): JudgedCases {
  const calm = 'without faults';
  const faulty = `under plans of faults, seed ${seed}`;
  if (!found) {
    const message = whyUnknown(counts);
    return [
      { name: calm, outcome: { kind: 'passed' } },
      { name: faulty, outcome: message === undefined ? { kind: 'passed' } : { kind: 'error', message } },
    ];
  }
  if (found.plan.length > 0)
    return [
      { name: calm, outcome: { kind: 'passed' } },
      { name: faulty, outcome: failureOf(found, again) },
      ...others.map((other) => ({ name: `${faulty}: ${other.verdict}`, outcome: failureOf(other, again) })),
    ];
  return [
    { name: calm, outcome: failureOf(found, again) },
    { name: faulty, outcome: { kind: 'skipped', message: 'not tried: it goes wrong without any fault' } },
  ];
}

function failureOf(found: HuntFound, again: string): Case['outcome'] {
  const details = [
    found.verdict,
    ...(found.plan.length > 0 ? faultLines(found.plan) : []),
    ...storyLines(found),
    ...lessonLines(found.plan),
    ...(found.output?.trim() ? [found.output.trim()] : []),
    again,
  ];
  return { kind: 'failed', message: found.verdict, details: details.join('\n') };
}

/** Returns why nothing is known of the shop although nothing was found; undefined where it is. */
function whyUnknown({
  endedBy,
  plans,
  ...counts
}: Pick<HuntResult, 'notJudged' | 'endedBy' | 'plans'>): string | undefined {
  if (endedBy === 'stop') return `interrupted after ${plans} plans, in which nothing was found`;
  return notJudgedSentence(counts);
}
