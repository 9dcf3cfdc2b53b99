import { expect, test } from 'vitest';
import { huntCases } from '../../../cli/hunt/hunt-cases.ts';
import type { HuntedFault } from '../../../testing/hunt/hunted-fault.ts';

const FAULT: HuntedFault = { at: 'webhook.attempt', what: 'twice', when: {} };
const trace = Buffer.alloc(0);
/** What happened under a plan, besides what the tests look at. */
const TOLD = { verdictName: 'chargedOnce', confirmed: { runs: 2, wrong: 2 }, orders: [], example: [] };
const ENDED = { notJudged: [], endedBy: 'plans' as const, plans: 9 };
const STEP = { atMs: 1_500, who: 'shop', text: 'Take a payment: no reply', line: 'shop.ts:4' } as const;
const kinds = (result: Parameters<typeof huntCases>[0]) =>
  huntCases(result, '1', 'tapbench hunt').map(({ outcome }) => outcome.kind);

test('huntCases: nothing found is passed only when all plans could be judged', () => {
  expect(kinds(ENDED)).toEqual(['passed', 'passed']);
  const notJudged = [{ error: 'the books are no JSON', plans: 3, first: [FAULT] }];
  expect(huntCases({ ...ENDED, notJudged }, '1', 'tapbench hunt')[1]).toEqual({
    name: 'under plans of faults, seed 1',
    outcome: { kind: 'error', message: '3 plans were not judged: the books are no JSON' },
  });
});

test('huntCases: a plan that is found is a failure with its faults and the line that repeats it', () => {
  const found = { plan: [FAULT], verdict: 'charged twice', ...TOLD, story: [STEP], trace, output: 'sold\n' };
  const [calm, faulty] = huntCases({ ...ENDED, found }, 'two', 'tapbench hunt --seed two');
  expect(calm).toEqual({ name: 'without faults', outcome: { kind: 'passed' } });
  expect(faulty).toMatchObject({
    name: 'under plans of faults, seed two',
    outcome: { kind: 'failed', message: 'charged twice' },
  });
  expect(faulty!.outcome).toHaveProperty(
    'details',
    expect.stringMatching(
      /^charged twice\n {2}.*\nwhat happened:\n {2}1\.5 s {2}shop {6}Take a payment: no reply {2}at shop\.ts:4\nsold\ntapbench hunt --seed two$/,
    ),
  );
});

test('huntCases: what goes wrong without faults leaves the plans skipped', () => {
  const found = { plan: [], verdict: 'charged twice', ...TOLD, story: [], trace };
  expect(kinds({ ...ENDED, found })).toEqual(['failed', 'skipped']);
});

test('huntCases: what was interrupted is an error, not passed', () => {
  expect(huntCases({ ...ENDED, endedBy: 'stop' }, '1', 'tapbench hunt')[1]!.outcome).toEqual({
    kind: 'error',
    message: 'interrupted after 9 plans, in which nothing was found',
  });
});
