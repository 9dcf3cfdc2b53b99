import { expect, test } from 'vitest';
import { huntCases } from '../../../cli/hunt/hunt-cases.ts';
import type { HuntedFault } from '../../../testing/hunt/hunted-fault.ts';

const FAULT: HuntedFault = { at: 'webhook.attempt', what: 'twice', when: {} };
const trace = Buffer.alloc(0);
const kinds = (result: Parameters<typeof huntCases>[0]) =>
  huntCases(result, '1', 'tapbench hunt').map(({ outcome }) => outcome.kind);

test('huntCases: nothing found is passed only when a plan reached its faults', () => {
  expect(kinds({ plans: 11, notReached: 3 })).toEqual(['passed', 'passed']);
  expect(kinds({ plans: 11, notReached: 10 })).toEqual(['passed', 'skipped']);
  expect(kinds({ plans: 1, notReached: 0 })).toEqual(['passed', 'skipped']);
});

test('huntCases: a plan that is found is a failure with its faults and the line that repeats it', () => {
  const found = { plan: [FAULT], verdict: 'charged twice', trace, output: 'sold\n' };
  const [calm, faulty] = huntCases({ plans: 5, notReached: 0, found }, 'two', 'tapbench hunt --seed two');
  expect(calm).toEqual({ name: 'without faults', outcome: { kind: 'passed' } });
  expect(faulty).toMatchObject({
    name: 'under plans of faults, seed two',
    outcome: { kind: 'failed', message: 'charged twice' },
  });
  expect(faulty!.outcome).toHaveProperty(
    'details',
    expect.stringMatching(/^charged twice\n {2}.*\nsold\ntapbench hunt --seed two$/),
  );
});

test('huntCases: what goes wrong without faults leaves the plans skipped', () => {
  const found = { plan: [], verdict: 'charged twice', trace };
  expect(kinds({ plans: 1, notReached: 0, found })).toEqual(['failed', 'skipped']);
});
