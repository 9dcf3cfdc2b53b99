import { actions, toAction, type ActionRow } from '../../api/in-person/actions/action.records.ts';
import { disputeStateOf } from '../../api/disputes/dispute.machine.ts';
import { disputes, toDispute, type DisputeRow } from '../../api/disputes/dispute.records.ts';
import { paymentSessions } from '../../api/payments/payment-session.records.ts';
import {
  SESSION_LIFETIME_MS,
  sessionStateOf,
  type PaymentSessionRow,
} from '../../api/payments/payment-session-row.ts';
import { toPaymentSessionWithoutSecret } from '../../api/payments/payment-session-view.ts';
import {
  paymentTransactions,
  toPaymentTransaction,
  type PaymentTransactionRow,
} from '../../api/payments/payment-transaction.records.ts';
import type { EventType } from '../../api/webhooks/event-types.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { disputeActions } from './dispute-actions.ts';
import { objectType, shownBy, tableOf } from './object-type.ts';
import { sessionActions, terminalActionActions, transactionActions } from './payment-actions.ts';

const UNPAID: readonly PaymentSessionRow['status'][] = ['PendingPayment', 'PendingAction'];
const TRANSACTIONS_OF_SESSION = 'SELECT id FROM payment_transactions WHERE session_id = ?';

export const paymentSession = objectType<PaymentSessionRow>({
  ...tableOf(paymentSessions),
  status: 'status',
  category: 'entry_mode',
  initialStatus: 'PendingPayment',
  references: [
    { to: 'customer', column: 'customer_id' },
    { to: 'paymentSession', column: 'previous_session_id' },
    {
      to: 'subscription',
      where: 'id IN (SELECT session_id FROM subscription_sessions WHERE subscription_id = ?)',
      named: 'SELECT subscription_id AS id FROM subscription_sessions WHERE session_id = ?',
    },
  ],
  show: shownBy(toPaymentSessionWithoutSecret),
  label: (row) => row.customer_email,
  state: (row, nowMs) => sessionStateOf(row, nowMs).phase,
  due: (row) =>
    UNPAID.includes(row.status)
      ? { what: 'the payment session expires', atMs: row.created_ms + SESSION_LIFETIME_MS }
      : null,
  origins: TRANSACTIONS_OF_SESSION,
  actions: sessionActions,
});

const EVENTS_OF: Record<PaymentTransactionRow['type'], EventType[]> = {
  Authorization: ['PaymentSession.approved', 'PaymentSession.declined'],
  Capture: ['PaymentSession.captured', 'PaymentSession.capture_failed'],
  Void: ['PaymentSession.voided', 'PaymentSession.void_failed'],
  Refund: ['PaymentSession.refunded', 'PaymentSession.refund_failed'],
  Chargeback: [],
  ChargebackReversal: [],
};

export const transaction = objectType<PaymentTransactionRow>({
  ...tableOf(paymentTransactions),
  status: 'status',
  category: 'type',
  references: [
    { to: 'paymentSession', column: 'session_id' },
    {
      to: 'transaction',
      column: 'capture_id',
      where: `id IN (SELECT refund.id FROM payment_transactions AS capture
        JOIN payment_transactions AS refund ON refund.session_id = capture.session_id AND refund.capture_id = capture.id
        WHERE capture.id = ?)`,
    },
  ],
  show: shownBy(toPaymentTransaction),
  label: (row) => row.type,
  jobsOf: (row) => (row.status === 'Pending' ? [row.session_id] : []),
  eventsOf: (row) => ({
    objectId: row.session_id,
    types: EVENTS_OF[row.type],
    atMs: [row.created_ms, row.updated_ms],
  }),
  actions: transactionActions,
});

export const dispute = objectType<DisputeRow>({
  ...tableOf(disputes),
  status: 'status',
  category: 'category',
  initialStatus: 'Open',
  references: [
    { to: 'paymentSession', column: 'session_id' },
    { to: 'account', column: 'bearer_id' },
    { to: 'customer', where: 'customer LIKE ?', inText: true },
    { to: 'file', where: 'evidence LIKE ?', inText: true },
  ],
  show: shownBy(toDispute),
  label: (row) => row.category,
  state: (row) => disputeStateOf(row.status),
  origins: `SELECT id FROM payment_transactions WHERE type IN ('Chargeback', 'ChargebackReversal')
    AND session_id = (SELECT session_id FROM disputes WHERE id = ?)`,
  actions: disputeActions,
});

export const action = objectType<ActionRow>({
  ...tableOf(actions),
  status: 'status',
  category: 'type',
  initialStatus: 'InProgress',
  references: [
    { to: 'terminal', column: 'terminal_id' },
    { to: 'paymentSession', column: 'session_id' },
  ],
  show: (services, rows) =>
    Promise.all(
      rows.map(async ({ id }) => {
        const row = await actions.findAny(services.store, id);
        if (!row) throw new Refusal('not_found', { what: 'action' });
        return toAction(row);
      }),
    ),
  label: (row) => row.type,
  state: (row) => row.phase,
  eventsOf: (row) => ({ objectId: row.terminal_id, partId: row.id }),
  actions: terminalActionActions,
});
