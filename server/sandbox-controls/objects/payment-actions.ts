import { DECLINE_CODES } from '../../bank/issuer/decline-codes.ts';
import { refuseInPersonAttempt, refuseNotOpen } from '../../api/payments/payment-session.rules.ts';
import {
  captureOf,
  refuseVoid,
  readRefundContext,
  refundOf,
} from '../../api/payments/captures-voids-refunds.rules.ts';
import { requiredActionOf, type PaymentSessionRow } from '../../api/payments/payment-session-row.ts';
import { paymentSessions } from '../../api/payments/payment-session.records.ts';
import type { PaymentTransactionRow } from '../../api/payments/payment-transaction.records.ts';
import { RefundRequest } from '../../api/payments/captures-voids-refunds.schema.ts';
import { DISPUTE_CATEGORIES } from '../../../protocol/value-lists.ts';
import { disputable } from '../../api/disputes/disputes.ts';
import type { ActionRow } from '../../api/in-person/actions/action.records.ts';
import {
  amountField,
  choiceField,
  isAllowed,
  objectAction,
  textField,
  unlessRefused,
  type ActionContext,
} from './object-action.ts';
import type { ActionField, ObjectAction } from './object-action.schema.ts';

/**
 * Returns what a payment session allows: what its cardholder can do in 3-D Secure, capture, void, refund, a dispute, and a
 * failure of one of them, or the decline of the next attempt.
 */
export async function sessionActions(
  context: ActionContext,
  session: PaymentSessionRow,
): Promise<ObjectAction[]> {
  const captures = await captureActions(context, session);
  const voids = await voidActions(session);
  const refunds = await refundActions(context, session);
  const failing = [
    ...(captures.length > 0 ? ['Capture'] : []),
    ...(voids.length > 0 ? ['Void'] : []),
    ...(refunds.length > 0 ? ['Refund'] : []),
  ];
  return [
    ...(await authenticationActions(context, session)),
    ...captures,
    ...voids,
    ...refunds,
    ...(await disputeOpening(context, session)),
    ...(failing.length > 0 ? [failNext(session, failing)] : []),
    ...(await declineNext(context, session)),
  ];
}

/** Returns the decline of the next attempt, of a session that can be attempted. */
async function declineNext({ services }: ActionContext, session: PaymentSessionRow): Promise<ObjectAction[]> {
  if (session.status !== 'PendingPayment') return [];
  const open = await isAllowed(() => {
    refuseInPersonAttempt(session);
    refuseNotOpen(session, services.clock.nowMs());
  });
  if (!open) return [];
  return [
    objectAction({
      operation: 'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next',
      ...ofSession(session),
      name: 'decline-next',
      label: 'Decline the next attempt',
      fields: [choiceField('code', 'Code', DECLINE_CODES)],
    }),
  ];
}

/** Returns what the operations of the API about a payment session have in common. */
function ofSession({ id, account_id: accountId }: PaymentSessionRow) {
  return { params: { paymentSessionId: id }, accountId };
}

async function captureActions(
  { services, caller }: ActionContext,
  session: PaymentSessionRow,
): Promise<ObjectAction[]> {
  const capture = await unlessRefused(() => captureOf(session, {}, { caller, ids: services.ids }));
  if (!capture) return [];
  return [
    objectAction({
      operation: 'POST /payment-sessions/{paymentSessionId}/captures',
      ...ofSession(session),
      name: 'capture',
      label: 'Capture',
      fields: [
        amountField(capture.amountMinor, session.currency),
        choiceField('captureType', 'Type', ['Final', 'NotFinal'], { required: false }),
      ],
    }),
  ];
}

async function voidActions(session: PaymentSessionRow): Promise<ObjectAction[]> {
  if (!(await isAllowed(() => refuseVoid(session)))) return [];
  return [
    objectAction({
      operation: 'POST /payment-sessions/{paymentSessionId}/voids',
      ...ofSession(session),
      name: 'void',
      label: 'Void',
    }),
  ];
}

const REFUND_FEE: ActionField = {
  member: 'refundPlatformFee',
  label: 'Refund the platform fee too',
  type: 'boolean',
  required: false,
};

/** Returns a refund of each capture, or of one of them, that has something left to refund. */
async function refundActions(
  { services }: ActionContext,
  session: PaymentSessionRow,
  captureId?: string,
): Promise<ObjectAction[]> {
  const refunds = await readRefundContext(services.store, services, session.id);
  const actions: ObjectAction[] = [];
  for (const [index, capture] of refunds.captures.entries()) {
    if (captureId !== undefined && captureId !== capture.id) continue;
    const body = { captureTransaction: { id: capture.id } };
    const refund = await unlessRefused(() => refundOf(session, body, refunds));
    if (!refund) continue;
    const isOneOfMany = captureId === undefined && refunds.captures.length > 1;
    const action = objectAction({
      operation: 'POST /payment-sessions/{paymentSessionId}/refunds',
      ...ofSession(session),
      name: isOneOfMany ? `refund-capture-${index + 1}` : 'refund',
      label: isOneOfMany ? `Refund capture ${index + 1}` : 'Refund',
      body,
      fields: [
        amountField(refund.amountMinor, session.currency),
        textField(RefundRequest, 'reason', 'Reason'),
        ...(capture.platform_fee_minor && refund.splits.length === 0 ? [REFUND_FEE] : []),
      ],
    });
    actions.push(action);
  }
  return actions;
}

async function disputeOpening(
  { services }: ActionContext,
  session: PaymentSessionRow,
): Promise<ObjectAction[]> {
  const found = await unlessRefused(() => disputable(services.store, services, session));
  if (!found) return [];
  return [
    objectAction({
      operation: 'POST /sandbox/payment-sessions/{id}/disputes',
      params: { id: session.id },
      name: 'open-dispute',
      label: 'Open a dispute',
      accountId: session.account_id,
      fields: [
        amountField(found.mostMinor, session.currency),
        choiceField('category', 'Category', DISPUTE_CATEGORIES, { required: false }),
      ],
    }),
  ];
}

/** Returns the failure of the next transaction of one of these types. */
function failNext(session: PaymentSessionRow, types: readonly string[]): ObjectAction {
  const [only, ...others] = types;
  return objectAction({
    operation: 'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next',
    ...ofSession(session),
    name: 'fail-next',
    label: `Make the next ${types.join(' or ').toLowerCase()} fail`,
    ...(others.length === 0
      ? { body: { type: only } }
      : { fields: [choiceField('type', 'What fails', types)] }),
  });
}

/** Returns what a transaction allows: a refund of a capture. */
export async function transactionActions(
  context: ActionContext,
  { id, session_id: sessionId, type }: PaymentTransactionRow,
): Promise<ObjectAction[]> {
  if (type !== 'Capture') return [];
  const session = await paymentSessions.findAny(context.services.store, sessionId);
  return session ? refundActions(context, session, id) : [];
}

/** Returns what an action of a terminal allows: to cancel it while it is in progress. */
export function terminalActionActions(_context: ActionContext, row: ActionRow): ObjectAction[] {
  if (row.status !== 'InProgress') return [];
  return [
    objectAction({
      operation: 'POST /in-person/terminals/{id}/cancel-action',
      params: { id: row.terminal_id },
      name: 'cancel',
      label: 'Cancel',
      accountId: row.account_id,
    }),
  ];
}

const IDENTIFICATION = { outcome: 'Identified', name: 'identify', label: 'Send the fingerprint' } as const;
const CHALLENGE = [
  { outcome: 'Authenticated', name: 'authenticate', label: 'Approve as the cardholder' },
  { outcome: 'Failed', name: 'fail-authentication', label: 'Cancel as the cardholder' },
] as const;

/** Returns what a payment session that waits for 3-D Secure allows: what its cardholder can do. */
async function authenticationActions(
  { services: { clock } }: ActionContext,
  session: PaymentSessionRow,
): Promise<ObjectAction[]> {
  const required = session.status === 'PendingAction' ? requiredActionOf(session) : undefined;
  if (!required || !(await isAllowed(() => refuseNotOpen(session, clock.nowMs())))) return [];
  const outcomes = required.type === 'Identify' ? [IDENTIFICATION] : CHALLENGE;
  return outcomes.map(({ outcome, name, label }) =>
    objectAction({
      operation: 'POST /sandbox/payment-sessions/{id}/authentication',
      params: { id: session.id },
      accountId: session.account_id,
      name,
      label,
      body: { outcome },
    }),
  );
}
