import { describe, expect, test } from 'vitest';
import {
  actionMachine,
  actionStep,
  waitMsIn,
  type ActionEvent,
  type Phase,
} from '../../../../../server/api/in-person/actions/action.machine.ts';
import type { ActionRow } from '../../../../../server/api/in-person/actions/action.records.ts';

function row(phase: Phase, change: Partial<ActionRow> = {}): ActionRow {
  const pointOfSale = change.receipt_source === 'PointOfSale';
  return {
    type: 'Payment',
    receipt_source: 'Terminal',
    phase,
    merchant_copy: phase === 'awaitingMerchantCopy' ? 'Required' : pointOfSale ? 'Succeeded' : 'NotRequired',
    customer_copy: phase === 'awaitingCustomerCopy' ? 'Required' : 'NotRequired',
    error_code: null,
    ...change,
  } as ActionRow;
}

/** A step with its context and the names of its effects. */
function stepped(before: ActionRow, event: ActionEvent) {
  const step = actionStep(before, event);
  return step && { ...step, ...step.context, effects: step.effects.map(({ type }) => type) };
}

const EVENTS: ActionEvent[] = [
  { type: 'action.accepted' },
  { type: 'issuer.approved' },
  { type: 'issuer.declined', code: 'insufficient_funds' },
  { type: 'action.completed', failedCopies: [] },
  { type: 'action.abandoned', code: 'cancelled_on_terminal' },
  { type: 'action.cancelled' },
  { type: 'merchantCopy.confirmed' },
  { type: 'merchantCopy.failed' },
  { type: 'customerCopy.confirmed' },
  { type: 'customerCopy.failed' },
  { type: 'deadline.passed' },
  { type: 'outcome.pending' },
  { type: 'outcome.unknown' },
  { type: 'outcome.charged' },
  { type: 'outcome.notCharged' },
];

/** What every event does in every state of a payment: the next state and the effects, or nothing. */
const PAYMENT: Record<string, Record<string, string>> = {
  sent: {
    'action.accepted': 'awaitingCard',
    'issuer.approved': 'printing approve sendDecision',
    'issuer.declined': 'failed decline sendDecision sendEnd',
    'action.abandoned': 'failed sendEnd',
    'action.cancelled': 'cancelled sendCancel sendEnd',
    'deadline.passed': 'failed sendEnd',
    'outcome.pending': 'atDevice',
    'outcome.unknown': 'outcomeUnknown',
  },
  awaitingCard: {
    'issuer.approved': 'printing approve sendDecision',
    'issuer.declined': 'failed decline sendDecision sendEnd',
    'action.abandoned': 'failed sendEnd',
    'action.cancelled': 'cancelled sendCancel sendEnd',
    'deadline.passed': 'failed sendEnd',
    'outcome.pending': 'atDevice',
    'outcome.unknown': 'outcomeUnknown',
  },
  atDevice: {
    'issuer.approved': 'printing approve sendDecision',
    'issuer.declined': 'failed decline sendDecision sendEnd',
    'action.abandoned': 'failed sendEnd',
    'deadline.passed': 'outcomeUnknown',
    'outcome.unknown': 'outcomeUnknown',
  },
  outcomeUnknown: {
    'issuer.approved': 'printing approve sendDecision',
    'issuer.declined': 'failed decline sendDecision sendEnd',
    'action.abandoned': 'failed sendEnd',
    'outcome.charged': 'succeeded approve capture sendEnd',
    'outcome.notCharged': 'failed sendEnd',
  },
  printing: {
    'action.completed': 'succeeded capture sendEnd',
    'action.abandoned': 'failed void sendEnd',
    'action.cancelled': 'cancelled void sendCancel sendEnd',
    'deadline.passed': 'failed void sendEnd',
  },
  awaitingMerchantCopy: {
    'merchantCopy.confirmed': 'awaitingCustomerCopy confirmReceipt',
    'merchantCopy.failed': 'failed void sendEnd',
    'action.abandoned': 'failed void sendEnd',
    'action.cancelled': 'cancelled void sendCancel sendEnd',
    'deadline.passed': 'failed void sendEnd',
  },
  awaitingCustomerCopy: {
    'customerCopy.confirmed': 'succeeded capture confirmReceipt sendEnd',
    'customerCopy.failed': 'failed void sendEnd',
    'action.abandoned': 'failed void sendEnd',
    'action.cancelled': 'cancelled void sendCancel sendEnd',
    'deadline.passed': 'failed void sendEnd',
  },
  succeeded: {},
  failed: {},
  cancelled: {},
};

/** The same for a refund: its money moves at the approval and never comes back. */
const REFUND: Record<string, Record<string, string>> = {
  ...PAYMENT,
  sent: {
    ...PAYMENT['sent'],
    'issuer.approved': 'printing refund sendDecision',
    'issuer.declined': 'failed failRefund sendDecision sendEnd',
  },
  awaitingCard: {
    ...PAYMENT['awaitingCard'],
    'issuer.approved': 'printing refund sendDecision',
    'issuer.declined': 'failed failRefund sendDecision sendEnd',
  },
  atDevice: {
    ...PAYMENT['atDevice'],
    'issuer.approved': 'printing refund sendDecision',
    'issuer.declined': 'failed failRefund sendDecision sendEnd',
  },
  outcomeUnknown: {
    ...PAYMENT['outcomeUnknown'],
    'issuer.approved': 'printing refund sendDecision',
    'issuer.declined': 'failed failRefund sendDecision sendEnd',
    'outcome.charged': 'succeeded refund sendEnd',
  },
  printing: {
    'action.completed': 'succeeded sendEnd',
    'action.abandoned': 'succeeded sendEnd',
    'action.cancelled': 'succeeded sendCancel sendEnd',
    'deadline.passed': 'succeeded sendEnd',
  },
  awaitingMerchantCopy: {
    'merchantCopy.confirmed': 'awaitingCustomerCopy confirmReceipt',
    'merchantCopy.failed': 'succeeded sendEnd',
    'action.abandoned': 'succeeded sendEnd',
    'action.cancelled': 'succeeded sendCancel sendEnd',
    'deadline.passed': 'succeeded sendEnd',
  },
  awaitingCustomerCopy: {
    'customerCopy.confirmed': 'succeeded confirmReceipt sendEnd',
    'customerCopy.failed': 'succeeded sendEnd',
    'action.abandoned': 'succeeded sendEnd',
    'action.cancelled': 'succeeded sendCancel sendEnd',
    'deadline.passed': 'succeeded sendEnd',
  },
};

describe.each([
  ['Payment', PAYMENT],
  ['Refund', REFUND],
] as const)('action machine: %s', (type, table) => {
  for (const [phase, reactions] of Object.entries(table)) {
    test.each(EVENTS)(`${phase}: $type`, (event) => {
      const step = stepped(row(phase as Phase, { type }), event);
      const seen = step && [step.state, ...step.effects].join(' ');
      expect(seen).toBe(reactions[event.type]);
    });
  }
});

test('action machine: the table has every state but the transient one', () => {
  expect(Object.keys(PAYMENT).toSorted()).toEqual(
    Object.keys(actionMachine.states)
      .filter((state) => state !== 'approved')
      .toSorted(),
  );
});

test(
  'action machine: every state has exactly one status of the API',
  { tags: ['spec:2.8/action-status'] },
  () => {
    for (const state of Object.values(actionMachine.states)) expect(state.tags).toHaveLength(1);
  },
);

test('action machine: at the point of sale an approval asks for the merchant copy, then the customer copy', () => {
  const approved = stepped(
    row('awaitingCard', { receipt_source: 'PointOfSale', merchant_copy: 'NotRequired' }),
    {
      type: 'issuer.approved',
    },
  )!;
  expect(approved).toMatchObject({
    state: 'awaitingMerchantCopy',
    merchantCopy: 'Required',
    status: 'InProgress',
  });
  const confirmed = stepped(row('awaitingMerchantCopy', { receipt_source: 'PointOfSale' }), {
    type: 'merchantCopy.confirmed',
  })!;
  expect(confirmed).toMatchObject({
    merchantCopy: 'Succeeded',
    customerCopy: 'Required',
    status: 'InProgress',
  });
});

test.each([
  ['sent', 'terminal_offline'],
  ['awaitingCard', 'timeout'],
  ['printing', 'timeout'],
  ['awaitingMerchantCopy', 'receipt_not_confirmed'],
  ['awaitingCustomerCopy', 'receipt_not_confirmed'],
] as const)('action machine: a deadline in %s ends with %s', (phase, code) => {
  expect(stepped(row(phase), { type: 'deadline.passed' })).toMatchObject({
    status: 'Failed',
    errorCode: code,
  });
});

test('action machine: a copy that was awaited is Failed when the action is cancelled', () => {
  const step = stepped(row('awaitingMerchantCopy'), { type: 'action.cancelled' });
  expect(step).toMatchObject({ status: 'Cancelled', merchantCopy: 'Failed', customerCopy: 'NotRequired' });
});

test('action machine: a printer without paper fails its copy, not the payment', () => {
  const step = stepped(row('printing'), { type: 'action.completed', failedCopies: ['customerCopy'] });
  expect(step).toMatchObject({
    status: 'Succeeded',
    customerCopy: 'Failed',
    effects: ['capture', 'sendEnd'],
  });
});

test('action machine: each state in progress has a deadline, but one that a person ends', () => {
  const states = Object.entries(actionMachine.states);
  const waiting = states.filter(([phase]) => waitMsIn(phase as Phase) !== null).map(([phase]) => phase);
  const stable = states.filter(([, { tags, always }]) => tags.includes('InProgress') && !always?.length);
  expect([...waiting, 'outcomeUnknown'].toSorted()).toEqual(stable.map(([phase]) => phase).toSorted());
});
