import { expect, test } from 'vitest';
import { comparisonCases } from '../../../cli/compare/comparison-cases.ts';
import { countsText } from '../../../cli/compare/comparison-page.ts';
import { needOf, type Need } from '../../../cli/compare/needs.ts';
import { isIncomplete, judgeComparison, type ScenarioResult } from '../../../cli/compare/result.ts';
import type { Scenario } from '../../../cli/compare/scenario.ts';
import { askedFor, selectScenarios } from '../../../cli/compare/select-scenarios.ts';

const ALL = selectScenarios({ scenarios: undefined, only: undefined });
const NOTHING = { hands: false, receiver: false, publicKey: false };
const of = (name: string, given: Partial<Record<Need, boolean>> = {}) =>
  needOf(
    ALL.find((one) => one.name === name)!,
    ALL,
    { ...NOTHING, ...given },
  );

test('needs: a scenario needs what its steps use, unless it was given', () => {
  expect(of('in-person/payment')).toBe('hands');
  expect(of('webhooks/delivery')).toBe('receiver');
  expect(of('payments/pay-with-public-key')).toBe('publicKey');
  expect(of('customers/create')).toBeUndefined();
  expect(of('in-person/payment', { hands: true })).toBeUndefined();
  expect(of('webhooks/delivery', { hands: true })).toBe('receiver');
});

test('needs: a scenario needs what one that it uses needs', () => {
  const using: Scenario = { name: 'a/b', title: 'T', rules: [], choices: [], steps: [], uses: ['c/d'] };
  const used: Scenario = { ...using, name: 'c/d', uses: [], hand: 'browser' };
  expect(needOf(using, [using, used], NOTHING)).toBe('hands');
});

test('needs: what --only names was asked for, and so was an area of which nothing can be tried', () => {
  const scenarios = ['mine/tap', 'mine/insert', 'theirs/read', 'theirs/tap'].map((name): Scenario => ({
    name,
    title: 'T',
    rules: [],
    choices: [],
    steps: [],
  }));
  const asked = (only: string | undefined) => askedFor(scenarios, only, ({ name }) => name === 'theirs/read');
  expect(asked('mine, theirs')).toEqual(['mine/tap', 'mine/insert']);
  expect(asked('theirs/tap, theirs')).toEqual(['theirs/tap']);
  expect([asked('theirs'), asked(undefined)]).toEqual([[], []]);
});

const result = (name: string, parts: Partial<ScenarioResult> = {}): ScenarioResult => ({
  name,
  title: name,
  rules: [],
  choices: [],
  notShown: null,
  needs: null,
  differences: [],
  ...parts,
});
const judged = (...results: ScenarioResult[]) =>
  judgeComparison({ version: '1', to: 'https://a', startedTimestamp: 0, scenarios: results.length, results });
const UNTRIED = [
  result('a/hands', { notShown: 'it needs a person', needs: 'hands' }),
  result('a/more', { notShown: 'it needs a person', needs: 'hands' }),
  result('a/key', { notShown: 'it needs the public key', needs: 'publicKey' }),
];

test('needs: what was not tried is counted for itself, and is no lack of a result', () => {
  const comparison = judged(result('a/alike'), ...UNTRIED);
  expect(countsText(comparison)).toBe(
    '1 scenario alike, 0 differ, 3 not tried (2 need --hands, 1 needs COMPARE_PUBLIC_KEY)',
  );
  expect(isIncomplete(comparison)).toBe(false);
  expect(comparisonCases(comparison).map(({ outcome }) => outcome.kind)).toEqual([
    'passed',
    'skipped',
    'skipped',
    'skipped',
  ]);
});

test('needs: a comparison that has tried nothing, or not shown what it tried, has a lack', () => {
  expect(isIncomplete(judged(...UNTRIED))).toBe(true);
  expect(comparisonCases(judged(...UNTRIED)).at(-1)!.outcome).toEqual({
    kind: 'error',
    message: 'nothing was tried',
  });
  expect(isIncomplete(judged(result('a/alike'), result('a/b', { notShown: 'replied 503' })))).toBe(true);
});
