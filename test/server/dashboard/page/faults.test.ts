import { expect, test } from 'vitest';
import {
  KEPT_STRIKES,
  laterStrikesQuery,
  withLaterStrikes,
} from '../../../../server/dashboard/page/faults/fault-plans.ts';
import type { FaultPlan } from '../../../../server/dashboard/view.ts';
import {
  strikesOn,
  type PlanStrike,
  strikeTarget,
} from '../../../../server/dashboard/page/faults/strikes.tsx';
import {
  fieldProblemOf,
  fieldsOf,
  firstFaultAt,
  matchingNames,
  plannedFault,
} from '../../../../server/dashboard/page/faults/fault-values.ts';
import { hrefOf } from '../../../../server/dashboard/page/route.ts';
import { struckStates, stepsOf } from '../../../../server/dashboard/page/timeline/steps.ts';
import { madeEntry, madeStep } from './fixtures.ts';

const strike = (ids: string[]): PlanStrike => ({
  planId: 'plan_1',
  number: 1,
  fault: 0,
  occurrence: 1,
  timestamp: 0,
  what: 'reset',
  subject: 'POST /v1/customers',
  ids,
});

test('strikeTarget: leads to what was struck', () => {
  const href = (ids: string[]) => {
    const target = strikeTarget({ ids });
    return target && hrefOf(target.to);
  };
  expect(href(['cus_1', 'req_1'])).toBe('#/requests/req_1');
  expect(href(['wh_1', 'ev_1', 'ps_1'])).toBe('#/webhooks/ev_1.wh_1');
  expect(href(['tml_1', 'tmlact_1'])).toBe('#/terminals/tml_1/actions/tmlact_1');
  expect(href(['tml_1'])).toBe('#/terminals/tml_1');
  expect(href(['ps_1'])).toBe('#/objects/ps_1');
  expect(href([])).toBeUndefined();
});

test('strikesOn: a strike is on a delivery when it names its event and its endpoint', () => {
  const strikes = [strike(['wh_1', 'ev_1']), strike(['wh_2', 'ev_1']), strike(['req_1'])];
  expect(strikesOn(strikes, ['ev_1', 'wh_2'])).toEqual([strikes[1]]);
  expect(strikesOn(strikes, ['req_1'])).toEqual([strikes[2]]);
  expect(strikesOn(strikes, ['req_2'])).toEqual([]);
});

/** A plan with strikes of these numbers. */
const planWith = (id: string, numbers: number[]): FaultPlan => ({
  id,
  title: '',
  seed: 'default',
  status: 'Active',
  createdTimestamp: 0,
  faults: [{ at: 'api.reply', what: 'reset' }],
  struck: numbers.length,
  struckByFault: [numbers.length],
  strikes: numbers.map((number) => ({ ...strike([]), number })),
});
const numbersOf = (plans: readonly FaultPlan[]) =>
  plans.map(({ id, strikes }) => [id, strikes.map(({ number }) => number)]);

test('plans of faults: only what struck after what is known is read, and added to it', () => {
  expect(laterStrikesQuery(undefined)).toEqual({ strikes: 1000 });
  const known = [planWith('plan_1', [1, 12]), planWith('plan_2', [7]), planWith('plan_3', [])];
  expect(laterStrikesQuery(known)).toEqual({ strikes: 1000, strikesAfter: 12 });
  const read = [planWith('plan_1', [14]), planWith('plan_3', [13]), planWith('plan_4', [15])];
  const { plans, hasMore } = withLaterStrikes(known, read);
  expect(numbersOf(plans)).toEqual([
    ['plan_1', [1, 12, 14]],
    ['plan_3', [13]],
    ['plan_4', [15]],
  ]);
  expect(hasMore).toBe(false);
});

test('plans of faults: the latest strikes of a plan are kept, and more are read while a reply is full', () => {
  const many = Array.from({ length: KEPT_STRIKES }, (_, index) => index + 1);
  const first = withLaterStrikes(undefined, [planWith('plan_1', many)]);
  expect(first.hasMore).toBe(false);
  const later = many.map((number) => number + KEPT_STRIKES);
  const second = withLaterStrikes(first.plans, [planWith('plan_1', later)]);
  expect(second.hasMore).toBe(true);
  expect(numbersOf(second.plans)).toEqual([['plan_1', later]]);
  expect(withLaterStrikes(second.plans, [planWith('plan_1', [9_000])]).hasMore).toBe(false);
});

test('new fault: has the fields of its place, and what is left empty is left out of the plan', () => {
  const reset = firstFaultAt('api.reply');
  expect(plannedFault(reset)).toEqual({ at: 'api.reply', what: 'reset' });
  expect(fieldsOf(reset)).toEqual({
    filters: ['operation', 'id'],
    numbers: ['nth', 'times', 'forMs', 'percent'],
  });
  const late = {
    ...reset,
    what: 'delay',
    operation: ' POST /v1/customers ',
    nth: '2',
    delayMs: '0',
    id: ' ',
  };
  expect(plannedFault(late)).toEqual({
    at: 'api.reply',
    what: 'delay',
    when: { operation: 'POST /v1/customers', nth: 2 },
    delayMs: 0,
  });
  // A state that was typed before another place was chosen is not sent.
  expect(plannedFault({ ...late, state: 'awaitingPin', what: 'reset' })).toEqual({
    at: 'api.reply',
    what: 'reset',
    when: { operation: 'POST /v1/customers', nth: 2 },
  });
});

test('struckStates: a fault marks the state of the terminal that it struck, on no machine of the server', () => {
  const fault = { planId: 'plan_1', what: 'power-cut', at: 'terminal.state', subject: 'awaitingCard' };
  const entries = [
    madeStep(1, 'action', 'awaitingCard'),
    { ...madeStep(2, 'server', 'awaitingCard'), objectId: 'tmlact_1' },
    madeEntry(3, { kind: 'fault', lane: 'machine', fault }),
    madeEntry(4, { kind: 'fault', fault: { ...fault, at: 'message.report', subject: 'printing' } }),
  ];
  expect([...struckStates(entries, stepsOf(entries, 'action'))]).toEqual(['awaitingCard']);
  expect([...struckStates(entries, stepsOf(entries, 'server'))]).toEqual([]);
  expect([...struckStates(entries.slice(0, 2), stepsOf(entries, 'action'))]).toEqual([]);
});

test('new fault: what is no number is sent as it was typed, and left out of the words', () => {
  const typed = { ...firstFaultAt('api.reply'), nth: 'two', times: '3' };
  expect(plannedFault(typed).when).toEqual({ nth: 'two', times: 3 });
  expect(plannedFault(typed, true).when).toEqual({ times: 3 });
});

test('new fault: a refusal is shown at its field, and one of the whole plan at none', () => {
  expect(fieldProblemOf('faults.1.when.operation must be an operation of the API')).toEqual({
    fault: 1,
    member: 'operation',
    text: 'Must be an operation of the API.',
  });
  expect(fieldProblemOf('faults.0.delayMs must be at least 0')).toMatchObject({
    fault: 0,
    member: 'delayMs',
  });
  expect(fieldProblemOf('title must have at most 200 characters')).toBeUndefined();
  expect(fieldProblemOf(undefined)).toBeUndefined();
});

test('new fault: its names are found by a part of them, then by their sentences', () => {
  const names = [
    { name: 'Payout.created', text: 'Sent when a payout was issued.' },
    { name: 'Customer.created', text: 'Sent when a customer was created.' },
    { name: 'Customer.updated', text: 'Sent when a customer changed.' },
  ];
  const found = (typed: string) => matchingNames(names, typed).map(({ name }) => name);
  expect(found('')).toHaveLength(3);
  expect(found('CUSTOMER')).toEqual(['Customer.created', 'Customer.updated']);
  expect(found('issued')).toEqual(['Payout.created']);
  expect(found('nothing')).toEqual([]);
  // Once one is chosen, the others are offered again.
  expect(found('Customer.created')).toHaveLength(3);
});
