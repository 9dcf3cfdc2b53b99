import { expect, test } from 'vitest';
import { actionMachine } from '../../agent/lifecycle/action.machine.ts';
import { explore } from './explore.ts';
import { KnownSteps } from './local-steps.ts';
import { SCENARIOS } from './scenarios.ts';
import { singleStepsOf } from './single-steps/single-steps.ts';

const [tapped, atPointOfSale, , ownBank, , , , alone, aloneRefund] = SCENARIOS;

test('terminal and server: every state without faults keeps the properties', async () => {
  for (const scenario of [tapped!, atPointOfSale!, ownBank!]) {
    const { complete, violations } = await explore(scenario, { depth: Infinity, faults: 0 });
    expect({ complete, violations }).toEqual({ complete: true, violations: [] });
  }
});

test('payment terminal that cannot be asked: every state without faults keeps the properties', async () => {
  const { complete, violations } = await explore(aloneRefund!, { depth: Infinity, faults: 0 });
  expect({ complete, violations }).toEqual({ complete: true, violations: [] });
});

test('payment terminal that cannot be asked: every run of eight steps with one fault keeps the properties', async () => {
  const { violations } = await explore(alone!, { depth: 8, faults: 1 });
  expect(violations).toEqual([]);
});

test('terminal and server: every run of ten steps with one fault keeps the properties', async () => {
  const { violations } = await explore(ownBank!, { depth: 10, faults: 1 });
  expect(violations).toEqual([]);
});

test('single steps: each event in each state keeps the properties, also one that does not belong there', async () => {
  const known = new Map([[ownBank!, new KnownSteps()]]);
  for (const [scenario, steps] of known) await explore(scenario, { depth: 8, faults: 1 }, { known: steps });
  const { size, broken } = await singleStepsOf(known);
  expect(size).toBeGreaterThan(5_000);
  expect([...broken]).toEqual([]);
});

test('explore: finds a terminal that does not ask again for a decision', async () => {
  const { entry } = actionMachine.root.states.authorising!;
  const index = entry.findIndex((action) => JSON.stringify(action).includes('setRetryTime'));
  const removed = entry.splice(index, 1);
  try {
    const { violations } = await explore(tapped!, { depth: Infinity, faults: 0, first: true });
    expect(violations.map(({ property }) => property)).toContain('asksAgain');
  } finally {
    entry.splice(index, 0, ...removed);
  }
});

test('explore: finds a terminal whose driver is not told that a person has settled the action as charged', async () => {
  const { entry } = actionMachine.root.states.succeeded!;
  const index = entry.findIndex((action) => JSON.stringify(action).includes('stopReaderOncePaid'));
  const removed = entry.splice(index, 1);
  try {
    const { violations } = await explore(aloneRefund!, { depth: Infinity, faults: 0 });
    const { steps } = violations.find(({ property }) => property === 'ownBankSettled')!;
    expect(steps).toContain('a person settles it: Charged');
    expect(steps.at(-1)).toBe('the payment terminal: late reversal is heard');
  } finally {
    entry.splice(index, 0, ...removed);
  }
});
