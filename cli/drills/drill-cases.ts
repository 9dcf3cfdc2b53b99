import type { JudgedCases } from '../command-line/junit-option.ts';
import type { DrillResult } from './run-drill.ts';

/** Returns the result of a drill as a test case. What was not exercised is an error, never passed. */
export function drillCases(
  name: string,
  result: Pick<DrillResult, 'verdict' | 'inconclusive' | 'steps'>,
): JudgedCases {
  const { verdict, inconclusive, steps } = result;
  const details = (message: string) =>
    [message, '', ...steps.map(({ who, text }) => `${who}: ${text}`)].join('\n');
  if (verdict !== null)
    return [{ name, outcome: { kind: 'failed', message: verdict, details: details(verdict) } }];
  if (inconclusive !== null)
    return [{ name, outcome: { kind: 'error', message: inconclusive, details: details(inconclusive) } }];
  return [{ name, outcome: { kind: 'passed' } }];
}
