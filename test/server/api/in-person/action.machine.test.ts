import { describe, expect, test } from 'vitest';
import { stepOf, actionMachine, type ActionFact } from '../../../../server/api/in-person/action.machine.ts';
import type { ActionRow, Phase } from '../../../../server/api/in-person/action.records.ts';

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

const FACTS: ActionFact[] = [
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
];

/** What every fact does in every phase of a payment: the next phase and the money, or nothing. */
const PAYMENT: Record<string, Record<string, string>> = {
  sent: {
    'action.accepted': 'awaitingCard',
    'issuer.approved': 'printing approve',
    'issuer.declined': 'failed decline',
    'action.abandoned': 'failed',
    'action.cancelled': 'cancelled',
    'deadline.passed': 'failed',
  },
  awaitingCard: {
    'issuer.approved': 'printing approve',
    'issuer.declined': 'failed decline',
    'action.abandoned': 'failed',
    'action.cancelled': 'cancelled',
    'deadline.passed': 'failed',
  },
  printing: {
    'action.completed': 'succeeded capture',
    'action.abandoned': 'failed void',
    'action.cancelled': 'cancelled void',
    'deadline.passed': 'failed void',
  },
  awaitingMerchantCopy: {
    'merchantCopy.confirmed': 'awaitingCustomerCopy',
    'merchantCopy.failed': 'failed void',
    'action.abandoned': 'failed void',
    'action.cancelled': 'cancelled void',
    'deadline.passed': 'failed void',
  },
  awaitingCustomerCopy: {
    'customerCopy.confirmed': 'succeeded capture',
    'customerCopy.failed': 'failed void',
    'action.abandoned': 'failed void',
    'action.cancelled': 'cancelled void',
    'deadline.passed': 'failed void',
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
    'issuer.approved': 'printing refund',
    'issuer.declined': 'failed refuseRefund',
  },
  awaitingCard: {
    ...PAYMENT['awaitingCard'],
    'issuer.approved': 'printing refund',
    'issuer.declined': 'failed refuseRefund',
  },
  printing: {
    'action.completed': 'succeeded',
    'action.abandoned': 'succeeded',
    'action.cancelled': 'succeeded',
    'deadline.passed': 'succeeded',
  },
  awaitingMerchantCopy: {
    'merchantCopy.confirmed': 'awaitingCustomerCopy',
    'merchantCopy.failed': 'succeeded',
    'action.abandoned': 'succeeded',
    'action.cancelled': 'succeeded',
    'deadline.passed': 'succeeded',
  },
  awaitingCustomerCopy: {
    'customerCopy.confirmed': 'succeeded',
    'customerCopy.failed': 'succeeded',
    'action.abandoned': 'succeeded',
    'action.cancelled': 'succeeded',
    'deadline.passed': 'succeeded',
  },
};

describe.each([
  ['Payment', PAYMENT],
  ['Refund', REFUND],
] as const)('action machine: %s', (type, table) => {
  for (const [phase, reactions] of Object.entries(table)) {
    test.each(FACTS)(`${phase}: $type`, (fact) => {
      const step = stepOf(row(phase as Phase, { type }), fact);
      const seen = step && [step.phase, ...step.effects].join(' ');
      expect(seen).toBe(reactions[fact.type]);
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
  const approved = stepOf(
    row('awaitingCard', { receipt_source: 'PointOfSale', merchant_copy: 'NotRequired' }),
    {
      type: 'issuer.approved',
    },
  )!;
  expect(approved).toMatchObject({
    phase: 'awaitingMerchantCopy',
    merchantCopy: 'Required',
    status: 'InProgress',
  });
  const confirmed = stepOf(row('awaitingMerchantCopy', { receipt_source: 'PointOfSale' }), {
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
  expect(stepOf(row(phase), { type: 'deadline.passed' })).toMatchObject({
    status: 'Failed',
    errorCode: code,
  });
});

test('action machine: a copy that was awaited is Failed when the action is cancelled', () => {
  const step = stepOf(row('awaitingMerchantCopy'), { type: 'action.cancelled' });
  expect(step).toMatchObject({ status: 'Cancelled', merchantCopy: 'Failed', customerCopy: 'NotRequired' });
});

test('action machine: a printer without paper fails its copy, not the payment', () => {
  const step = stepOf(row('printing'), { type: 'action.completed', failedCopies: ['customerCopy'] });
  expect(step).toMatchObject({ status: 'Succeeded', customerCopy: 'Failed', effects: ['capture'] });
});
