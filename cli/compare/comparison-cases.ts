import type { JudgedCases } from '../command-line/junit-option.ts';
import { differenceText } from './difference-text.ts';
import type { JudgedComparison } from './result.ts';

/** Returns the scenarios of a comparison as the cases of a report. What was not run is a case too, and no success; what was not tried is skipped, unless nothing was. */
export function comparisonCases({ results, differences, counts }: JudgedComparison): JudgedCases {
  const cases = results.map(({ name, notShown, needs }): JudgedCases[number] => {
    const own = differences.filter(
      ({ place, scenarios }) => place !== 'extension' && scenarios.includes(name),
    );
    const texts = own.map((one) => `${differenceText(one).what}: ${differenceText(one).difference}`);
    if (texts.length > 0) return { name, outcome: { kind: 'failed', message: texts.join('\n') } };
    if (notShown !== null) {
      const kind = needs === null ? 'error' : 'skipped';
      return { name, outcome: { kind, message: notShown } };
    }
    return { name, outcome: { kind: 'passed' } };
  });
  if (counts.notRun > 0) return [...cases, errorOf('not run', `${counts.notRun} scenarios were not run`)];
  if (counts.notTried === results.length) return [...cases, errorOf('not tried', 'nothing was tried')];
  return cases;
}

const errorOf = (name: string, message: string): JudgedCases[number] => ({
  name,
  outcome: { kind: 'error', message },
});
