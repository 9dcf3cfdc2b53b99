import { Fault } from '../../../protocol/failures.ts';
import { postCapture, postRefund } from '../ledger/payment-entries.ts';
import { emitStep } from '../../platform/activities.ts';
import { jsonText } from '../../platform/store/json-text.ts';
import { feeOfRefund } from './splits-and-fees.ts';
import { sessionStep, type SessionEvent } from './payment-session.machine.ts';
import {
  HOLD_MS,
  paymentMethodOf,
  SESSION_LIFETIME_MS,
  columnsAfter,
  splitsOf,
  sessionStateOf,
  type PaymentSessionRow,
} from './payment-session-row.ts';
import { saveSession } from './payment-session.records.ts';
import type { PaymentMethod } from './payment-method-details.schema.ts';
import type { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import { raiseSessionEvent, type PaymentContext } from './session-events.ts';
import type { Split } from './split.schema.ts';
import {
  addRefundedToCapture,
  insertPaymentTransaction,
  listCaptures,
  captureSplitsOf,
  type NewPaymentTransaction,
  type PaymentTransactionRow,
} from './payment-transaction.records.ts';
import type { CaptureSplit } from './payment-transaction.schema.ts';
import type { FeeAllocation } from '../ledger/fee-allocation.schema.ts';

/** Job that ends the hold of an approved payment that is not captured in time. Its key is the session's id. */
export const HOLD_JOB = 'payment.hold';
/** Job that expires a payment whose required action is not completed in time. Its key is the session's id. */
export const LIFETIME_JOB = 'payment.lifetime';

export interface SettlementResult {
  session: PaymentSessionRow;
  transaction: PaymentTransactionRow;
}

/** Applies an event to a session and saves it. @throws Fault when the machine does not allow the event. */
async function applySessionEvent(
  { tx, services, session, begunMs: atMs = services.clock.nowMs() }: PaymentContext,
  event: SessionEvent,
  change: Partial<PaymentSessionRow> = {},
): Promise<PaymentSessionRow> {
  const before = sessionStateOf(session, atMs);
  const step = sessionStep(before, event);
  const after = step && { ...session, ...change, ...columnsAfter(step) };
  if (!after) throw new Fault('internal', `the payment session did not allow ${event.type}`);
  const saved = saveSession(tx, session, after, services.clock.nowMs());
  emitStep(tx, services, {
    machineId: 'paymentSession',
    objectId: session.id,
    event: event.type,
    from: before.phase,
    state: step.state,
  });
  return saved;
}

export function addPaymentTransaction(
  { tx, services, session }: PaymentContext,
  transaction: Pick<NewPaymentTransaction, 'type' | 'status'> & Partial<NewPaymentTransaction>,
): Promise<PaymentTransactionRow> {
  const { id: paymentSessionId, account_id: accountId, currency, amount_minor: amount } = session;
  const id = services.ids.make('transaction');
  const paymentMethod = paymentMethodOf(session);
  const own = { id, paymentSessionId, accountId, currency, amount, paymentMethod };
  return insertPaymentTransaction(tx, { ...own, ...transaction }, services.clock.nowMs());
}

const json = <T>(value: T | undefined) => (value === undefined ? null : jsonText(value));

/** Approves a session. With `captureFlow` Manual the amount is held for `HOLD_MS`, then released (Spec §2.2). */
export async function approve(
  context: PaymentContext,
  paymentMethod: PaymentMethod,
): Promise<PaymentSessionRow> {
  const { tx, services, session } = context;
  const authorization = { type: 'Authorization', status: 'Succeeded', paymentMethod } as const;
  const { id } = await addPaymentTransaction(context, authorization);
  const approved = await applySessionEvent(
    context,
    { type: 'payment.approved' },
    { last_error: null, payment_method: json(paymentMethod), required_action: null },
  );
  await stopWaiting(context);
  if (approved.capture_flow === 'Manual' && approved.verify_account === 0) {
    const dueMs = services.clock.nowMs() + HOLD_MS;
    await services.jobs.add(tx, { kind: HOLD_JOB, key: session.id, dueMs });
  }
  raiseSessionEvent({ ...context, session: approved }, 'PaymentSession.approved', id);
  return approved;
}

/** Declines an attempt: the session is PendingPayment again, and its `last_error` is the decline code. */
export async function decline(
  context: PaymentContext,
  paymentMethod: PaymentMethod | undefined,
  code: string,
): Promise<PaymentSessionRow> {
  const authorization = { type: 'Authorization', status: 'Failed', paymentMethod } as const;
  const { id } = await addPaymentTransaction(context, authorization);
  await stopWaiting(context);
  const change = { last_error: code, payment_method: json(paymentMethod), required_action: null };
  const declined = await applySessionEvent(context, { type: 'payment.declined' }, change);
  raiseSessionEvent({ ...context, session: declined }, 'PaymentSession.declined', id);
  return declined;
}

/** Sets a session to PendingAction, with the 3DS action that the issuer requires. */
export async function requireAction(
  context: PaymentContext,
  required: { action: RequiredAction; paymentMethod: PaymentMethod; runId: string },
): Promise<PaymentSessionRow> {
  const { tx, services, session } = context;
  const { action, paymentMethod, runId } = required;
  const type: SessionEvent['type'] =
    action.type === 'Identify' ? 'identification.required' : 'challenge.required';
  await stopWaiting(context);
  const dueMs = session.created_ms + SESSION_LIFETIME_MS;
  await services.jobs.add(tx, { kind: LIFETIME_JOB, key: session.id, dueMs });
  const change = {
    last_error: null,
    payment_method: json(paymentMethod),
    required_action: json(action),
    three_ds_run_id: runId,
  };
  const waiting = await applySessionEvent(context, { type }, change);
  raiseSessionEvent({ ...context, session: waiting }, 'PaymentSession.requires_action');
  return waiting;
}

/**
 * Withdraws the required action of a session whose amount changed, since the cardholder was shown the old one. The
 * session is PendingPayment, and the next attempt authenticates anew.
 */
export async function withdrawAction(context: PaymentContext): Promise<PaymentSessionRow> {
  await stopWaiting(context);
  const change = { required_action: null, three_ds_run_id: null };
  return applySessionEvent(context, { type: 'amount.changed' }, change);
}

async function stopWaiting({ tx, services, session }: PaymentContext): Promise<void> {
  if (session.status === 'PendingAction') await services.jobs.cancel(tx, LIFETIME_JOB, session.id);
}

/** Expires a session whose required action was not completed in time. */
export function expire(context: PaymentContext): Promise<PaymentSessionRow> {
  const begun = { ...context, begunMs: context.session.created_ms };
  return applySessionEvent(begun, { type: 'session.expired' }, { required_action: null });
}

export interface Capture {
  amountMinor: number;
  /** Whether it is the last capture: the remaining amount is released. */
  final: boolean;
  platformFeeMinor: number | undefined;
  splits: Split[];
  /** Who pays the processing fees, if not as in the session. */
  paymentFees?: FeeAllocation | undefined;
  /** Whether it is the first capture: only that one sets platform fee and splits of the session (Spec §2.2, splits). */
  first: boolean;
}

/** Returns the capture of the whole amount, with the platform fee and the splits of the session. */
export function fullCapture(session: PaymentSessionRow): Capture {
  return {
    amountMinor: session.amount_minor,
    final: true,
    platformFeeMinor: session.platform_fee_minor ?? undefined,
    splits: splitsOf(session),
    first: true,
  };
}

/** Captures an approved amount, whole or in part. The final capture, or one of all that is left, ends in Captured. */
export async function capture(context: PaymentContext, request: Capture): Promise<SettlementResult> {
  const { tx, services, session } = context;
  const { amountMinor, final, platformFeeMinor, splits, paymentFees, first } = request;
  const transaction = await addPaymentTransaction(context, {
    type: 'Capture',
    status: 'Succeeded',
    captureType: final ? 'Final' : 'NotFinal',
    amount: amountMinor,
    platformFee: platformFeeMinor,
    splits,
  });
  const captured = await applySessionEvent(
    context,
    { type: 'amount.captured', amountMinor, final },
    {
      last_error: null,
      ...(first && platformFeeMinor !== undefined && { platform_fee_minor: platformFeeMinor }),
      ...(first && splits.length > 0 && { splits: json(splits) }),
    },
  );
  if (captured.status === 'Captured' && captured.capture_flow === 'Manual')
    await services.jobs.cancel(tx, HOLD_JOB, session.id);
  await postCapture(tx, services, {
    session: captured,
    transactionId: transaction.id,
    amountMinor,
    platformFeeMinor: platformFeeMinor ?? 0,
    splits,
    ...(paymentFees && { paymentFees }),
  });
  raiseSessionEvent({ ...context, session: captured }, 'PaymentSession.captured', transaction.id);
  return { session: captured, transaction };
}

/** Voids an approved session of which nothing is captured. */
export async function voidPayment(context: PaymentContext): Promise<SettlementResult> {
  const { tx, services, session } = context;
  const transaction = await addPaymentTransaction(context, { type: 'Void', status: 'Succeeded' });
  const voided = await applySessionEvent(context, { type: 'payment.voided' });
  await services.jobs.cancel(tx, HOLD_JOB, session.id);
  raiseSessionEvent({ ...context, session: voided }, 'PaymentSession.voided', transaction.id);
  return { session: voided, transaction };
}

/** Ends the hold of a session: Voided, or Captured when part of the amount was captured. The rest is released. */
export async function expireHold(context: PaymentContext): Promise<PaymentSessionRow> {
  const released = await applySessionEvent(context, { type: 'hold.expired' });
  const voided = released.status === 'Voided';
  const transaction = voided
    ? await addPaymentTransaction(context, { type: 'Void', status: 'Succeeded' })
    : (await listCaptures(context.tx, released.id)).at(-1);
  const type = voided ? 'PaymentSession.voided' : 'PaymentSession.captured';
  raiseSessionEvent({ ...context, session: released }, type, transaction?.id);
  return released;
}

export interface Refund {
  amountMinor: number;
  capture: PaymentTransactionRow;
  refundPlatformFee: boolean;
  /** Refunded amount and fee of each split. */
  splits: Split[];
  reason?: string | undefined;
  /** The card presented for the refund, if not the card of the payment. */
  paymentMethod?: PaymentMethod | undefined;
}

/** Refunds a captured payment, whole or in part, and on request the platform fee in proportion (Spec §4.12). */
export async function refund(context: PaymentContext, request: Refund): Promise<SettlementResult> {
  const { tx, services } = context;
  const { capture: captured, amountMinor, splits, reason } = request;
  const feeMinor = request.refundPlatformFee ? await feeOfRefund(tx, captured, amountMinor) : undefined;
  const transaction = await addPaymentTransaction(context, {
    type: 'Refund',
    status: 'Succeeded',
    amount: amountMinor,
    reason,
    splits,
    captureId: captured.id,
    platformFeeRefunded: feeMinor,
    ...(request.paymentMethod && { paymentMethod: request.paymentMethod }),
  });
  const left = captureSplitsOf(captured).map((part) => withRefunded(part, splits));
  const refunded = { amountMinor, feeMinor: feeMinor ?? 0, splits: left };
  await addRefundedToCapture(tx, captured, refunded, services.clock.nowMs());
  const session = await applySessionEvent(context, { type: 'amount.refunded', amountMinor });
  await postRefund(tx, services, {
    session,
    transactionId: transaction.id,
    capture: captured,
    amountMinor,
    platformFeeMinor: feeMinor ?? 0,
    splits,
    ...(reason !== undefined && { reason }),
  });
  raiseSessionEvent({ ...context, session }, 'PaymentSession.refunded', transaction.id);
  return { session, transaction };
}

/** Records a refund that the issuer declined. No money moves. */
export async function failRefund(
  context: PaymentContext,
  { amountMinor, paymentMethod }: { amountMinor: number; paymentMethod: PaymentMethod | undefined },
): Promise<void> {
  const refused = { amount: amountMinor, ...(paymentMethod && { paymentMethod }) };
  const failed = await addPaymentTransaction(context, { type: 'Refund', status: 'Failed', ...refused });
  raiseSessionEvent(context, 'PaymentSession.refund_failed', failed.id);
}

function withRefunded(part: CaptureSplit, refunds: readonly Split[]): CaptureSplit {
  const refunded = refunds.find(({ id }) => id === part.id);
  if (!refunded) return part;
  return {
    ...part,
    refundedMinor: part.refundedMinor + refunded.amount,
    feeRefundedMinor: part.feeRefundedMinor + (refunded.fee?.amount ?? 0),
  };
}
