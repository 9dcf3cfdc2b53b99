import { Fault } from '../../../protocol/failures.ts';
import { postCapture, postRefund } from '../ledger/payment-entries.ts';
import { emitStep } from '../../platform/machine-steps.ts';
import { jsonText } from '../../platform/store/json-text.ts';
import { sessionStep, type SessionEvent } from './payment-session.machine.ts';
import { saveSession, type PaymentSessionRow } from './payment-session.records.ts';
import type { PaymentMethod } from './payment-method-details.schema.ts';
import type { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import { raiseSessionEvent, type PaymentContext } from './session-events.ts';
import { HOLD_MS, paymentMethodOf, SESSION_LIFETIME_MS, splitsOf, sessionStateOf } from './session-parts.ts';
import type { Split } from './split.schema.ts';
import {
  addRefundedToCapture,
  insertTransaction,
  captureSplitsOf,
  type CaptureSplit,
  type NewTransaction,
  type TransactionRow,
} from './transaction.records.ts';
import type { FeeAllocation } from '../ledger/fee-allocation.schema.ts';

/** Voids what was approved and not captured in time; its subject is the session. */
export const HOLD_JOB = 'payment.hold';
/** Ends what waits for a cardholder who does not come back; its subject is the session. */
export const LIFETIME_JOB = 'payment.lifetime';

export interface SettlementResult {
  session: PaymentSessionRow;
  transaction: TransactionRow;
}

/** Moves a session as its machine says, or not at all. */
async function applySessionEvent(
  { tx, services, session }: PaymentContext,
  event: SessionEvent,
  change: Partial<PaymentSessionRow> = {},
  atMs = services.clock.nowMs(),
): Promise<PaymentSessionRow> {
  const before = sessionStateOf(session, atMs);
  const step = sessionStep(before, event);
  const after = step && {
    ...session,
    ...change,
    status: step.status,
    state: step.state,
    captured_minor: step.context.capturedMinor,
    refunded_minor: step.context.refundedMinor,
  };
  const saved = after && (await saveSession(tx, session, after, services.clock.nowMs()));
  if (!saved) throw new Fault('internal', `the payment session did not allow ${event.type}`);
  emitStep(tx, services, {
    machineId: 'paymentSession',
    objectId: session.id,
    event: event.type,
    from: before.phase,
    state: step.state,
  });
  return saved;
}

export function addTransaction(
  { tx, services, session }: PaymentContext,
  transaction: Pick<NewTransaction, 'type' | 'status'> & Partial<NewTransaction>,
): Promise<TransactionRow> {
  const { id: sessionId, account_id: accountId, currency, amount_minor: amountMinor } = session;
  const id = services.ids.make('transaction');
  const paymentMethod = paymentMethodOf(session);
  const own = { id, sessionId, accountId, currency, amountMinor, paymentMethod };
  return insertTransaction(tx, { ...own, ...transaction }, services.clock.nowMs());
}

const json = <T>(value: T | undefined) => (value === undefined ? null : jsonText(value));

/** To Approved: the issuer agreed. What is to be captured by hand is held for a while (Spec §2.2, captureFlow). */
export async function approve(
  context: PaymentContext,
  paymentMethod: PaymentMethod,
): Promise<PaymentSessionRow> {
  const { tx, services, session } = context;
  await addTransaction(context, { type: 'Authorization', status: 'Succeeded', paymentMethod });
  const approved = await applySessionEvent(
    context,
    { type: 'payment.approved' },
    { last_error: null, payment_method: json(paymentMethod), required_action: null },
  );
  await stopWaiting(context);
  if (approved.capture_flow === 'Manual' && approved.verify_account === 0) {
    const dueMs = services.clock.nowMs() + HOLD_MS;
    await services.jobs.add(tx, { kind: HOLD_JOB, subject: session.id, dueMs });
  }
  raiseSessionEvent({ ...context, session: approved }, 'PaymentSession.approved');
  return approved;
}

/** To PendingPayment, with the reason: the issuer, or we for it, did not agree. */
export async function decline(
  context: PaymentContext,
  paymentMethod: PaymentMethod | undefined,
  code: string,
): Promise<PaymentSessionRow> {
  await addTransaction(context, { type: 'Authorization', status: 'Failed', paymentMethod });
  await stopWaiting(context);
  const change = { last_error: code, payment_method: json(paymentMethod), required_action: null };
  const declined = await applySessionEvent(context, { type: 'payment.declined' }, change);
  raiseSessionEvent({ ...context, session: declined }, 'PaymentSession.declined');
  return declined;
}

/** To PendingAction: the issuer wants to know who pays. */
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
  await services.jobs.add(tx, { kind: LIFETIME_JOB, subject: session.id, dueMs });
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

async function stopWaiting({ tx, services, session }: PaymentContext): Promise<void> {
  if (session.status === 'PendingAction') await services.jobs.cancel(tx, LIFETIME_JOB, session.id);
}

/** The cardholder did not come back in time. */
export function expire(context: PaymentContext): Promise<PaymentSessionRow> {
  const { created_ms: createdMs } = context.session;
  return applySessionEvent(context, { type: 'lifetime.passed' }, { required_action: null }, createdMs);
}

export interface Capture {
  amountMinor: number;
  /** Whether it is the last one: what is not captured with it is let go. */
  final: boolean;
  platformFeeMinor: number | undefined;
  splits: Split[];
  /** Who pays for the processing, where this capture says other than its session. */
  paymentFees?: FeeAllocation | undefined;
  /** Whether fee and parts become those of the session: only the first capture writes to it (Spec §2.2, splits). */
  first: boolean;
}

/** All of a payment in one capture, as it was asked for. */
export function fullCapture(session: PaymentSessionRow): Capture {
  return {
    amountMinor: session.amount_minor,
    final: true,
    platformFeeMinor: session.platform_fee_minor ?? undefined,
    splits: splitsOf(session),
    first: true,
  };
}

/** Takes an approved amount, whole or in part; Captured when it is the last of it. */
export async function capture(context: PaymentContext, request: Capture): Promise<SettlementResult> {
  const { tx, services, session } = context;
  const { amountMinor, final, platformFeeMinor, splits, paymentFees, first } = request;
  const captureType = final ? 'Final' : 'NotFinal';
  const amounts = { amountMinor, platformFeeMinor, splits, captureType } as const;
  const transaction = await addTransaction(context, { type: 'Capture', status: 'Succeeded', ...amounts });
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
  raiseSessionEvent({ ...context, session: captured }, 'PaymentSession.captured');
  return { session: captured, transaction };
}

/** Approved to Voided: what was approved is given back before any of it was taken. */
export async function voidPayment(context: PaymentContext): Promise<SettlementResult> {
  const { tx, services, session } = context;
  const transaction = await addTransaction(context, { type: 'Void', status: 'Succeeded' });
  const voided = await applySessionEvent(context, { type: 'payment.voided' });
  await services.jobs.cancel(tx, HOLD_JOB, session.id);
  raiseSessionEvent({ ...context, session: voided }, 'PaymentSession.voided');
  return { session: voided, transaction };
}

/** The hold is over: Voided, or Captured when part of it was captured, and the rest is let go. */
export async function expireHold(context: PaymentContext): Promise<PaymentSessionRow> {
  const released = await applySessionEvent(context, { type: 'hold.lapsed' });
  const voided = released.status === 'Voided';
  if (voided) await addTransaction(context, { type: 'Void', status: 'Succeeded' });
  const type = voided ? 'PaymentSession.voided' : 'PaymentSession.captured';
  raiseSessionEvent({ ...context, session: released }, type);
  return released;
}

export interface Refund {
  amountMinor: number;
  capture: TransactionRow;
  refundPlatformFee: boolean;
  /** What each part gives back. */
  splits: Split[];
  reason?: string | undefined;
  /** The card that was presented for it, where that is not the card of the payment. */
  paymentMethod?: PaymentMethod | undefined;
}

/** Gives back part of a captured payment, and if asked the platform fee in proportion (Spec §4.12). */
export async function refund(context: PaymentContext, request: Refund): Promise<SettlementResult> {
  const { tx, services } = context;
  const { capture: captured, amountMinor, splits, reason } = request;
  const feeMinor = request.refundPlatformFee
    ? feeShare(captured.platform_fee_minor ?? 0, captured.platform_fee_refunded_minor ?? 0, {
        amountMinor,
        capturedMinor: captured.amount_minor,
      })
    : 0;
  const transaction = await addTransaction(context, {
    type: 'Refund',
    status: 'Succeeded',
    amountMinor,
    reason,
    splits,
    captureId: captured.id,
    ...(request.paymentMethod && { paymentMethod: request.paymentMethod }),
  });
  const left = captureSplitsOf(captured).map((part) => withRefunded(part, splits));
  await addRefundedToCapture(tx, captured, { amountMinor, feeMinor, splits: left }, services.clock.nowMs());
  const session = await applySessionEvent(context, { type: 'amount.refunded', amountMinor });
  await postRefund(tx, services, {
    session,
    transactionId: transaction.id,
    capture: captured,
    amountMinor,
    platformFeeMinor: feeMinor,
    splits,
    ...(reason !== undefined && { reason }),
  });
  raiseSessionEvent({ ...context, session }, 'PaymentSession.refunded');
  return { session, transaction };
}

/** Records a refund that the issuer did not agree to; no money moves. */
export async function refuseRefund(
  context: PaymentContext,
  { amountMinor, paymentMethod }: { amountMinor: number; paymentMethod: PaymentMethod | undefined },
): Promise<void> {
  const refused = { amountMinor, ...(paymentMethod && { paymentMethod }) };
  await addTransaction(context, { type: 'Refund', status: 'Failed', ...refused });
  raiseSessionEvent(context, 'PaymentSession.refund_failed');
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

/** The part of a fee that goes back with part of a payment: in proportion, half up, never more than is left. */
export function feeShare(
  feeMinor: number,
  alreadyRefundedMinor: number,
  { amountMinor, capturedMinor }: { amountMinor: number; capturedMinor: number },
): number {
  // The product of two amounts can be beyond what a double holds exactly.
  const [fee, amount, captured] = [BigInt(feeMinor), BigInt(amountMinor), BigInt(capturedMinor)];
  const share = Number((2n * fee * amount + captured) / (2n * captured));
  return Math.min(share, feeMinor - alreadyRefundedMinor);
}
