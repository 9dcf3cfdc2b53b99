import type { Ids } from '../../../protocol/ids.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { refusePlatformFee, refuseSplits } from './amount.rules.ts';
import { createSplits, feeAllocationOf } from './splits-and-fees.ts';
import { detailsOf, splitsOf, type PaymentSessionRow } from './payment-session-row.ts';
import type { Capture, Refund } from './settlement.ts';
import type { CaptureRequest, RefundRequest } from './captures-voids-refunds.schema.ts';
import type { Split } from './split.schema.ts';
import {
  captureSplitsOf,
  type PaymentTransactionRow,
  isPending,
  listCaptures,
} from './payment-transaction.records.ts';
import type { CaptureSplit } from './payment-transaction.schema.ts';
import type { Queries } from '../../platform/store/store.ts';
import type { PaymentServices } from './payment-services.ts';

/** @throws Refusal unless the session is Approved with `captureFlow` Manual (Spec §2.2). */
function refuseNotHeld(session: PaymentSessionRow, what: 'captured' | 'voided'): void {
  if (session.status !== 'Approved') throw new Refusal('not_approved', { what, status: session.status });
  if (session.capture_flow !== 'Manual') throw new Refusal('not_manual', { what });
}

/**
 * Returns the capture that a request describes. The session's platform fee and splits are the defaults of the first
 * capture; later captures have no defaults (docs/choices.md, Captures).
 * @throws Refusal when the amount exceeds what is left, or the fee or a split is not allowed.
 */
export function captureOf(
  session: PaymentSessionRow,
  body: CaptureRequest,
  { caller, ids }: { caller: Caller; ids: Ids },
): Capture {
  refuseNotHeld(session, 'captured');
  if (session.verify_account === 1) throw new Refusal('capture_verification');
  const left = session.amount_minor - session.captured_minor;
  const amountMinor = body.amount ?? left;
  if (amountMinor < 1 || amountMinor > left) throw new Refusal('capture_too_large', { left });
  const first = session.captured_minor === 0;
  const splits = body.splits ? createSplits(ids, body.splits.items) : first ? splitsOf(session) : [];
  const platformFeeMinor =
    body.platformFee ?? (first ? (session.platform_fee_minor ?? undefined) : undefined);
  refusePlatformFee(platformFeeMinor, amountMinor, caller, 'platformFee');
  const { passThroughProcessingFee = false } = detailsOf(session);
  refuseSplits({ items: splits, amountMinor, platformFeeMinor, passThroughProcessingFee, caller });
  const final = (body.captureType ?? 'Final') === 'Final';
  return { amountMinor, final, platformFeeMinor, splits, paymentFees: feeAllocationOf(body), first };
}

/** @throws Refusal when the session cannot be voided: a void releases the whole amount, so none may be captured. */
export function refuseVoid(session: PaymentSessionRow): void {
  refuseNotHeld(session, 'voided');
  if (session.captured_minor > 0) throw new Refusal('void_after_capture');
}

/** Captures, refunds and disputes that limit a refund. */
interface RefundContext {
  captures: PaymentTransactionRow[];
  inFlight: boolean;
  /** Disputed amount of the session, in minor units. */
  disputedMinor: number;
}

/**
 * Returns the refund that a request describes, with its capture.
 * @throws Refusal unless the session is captured, no other refund is in progress, and the amount is left (Spec §2.2,
 * rule 3) and not disputed (docs/choices.md, Disputes).
 */
export function refundOf(
  session: PaymentSessionRow,
  body: RefundRequest,
  { captures, inFlight, disputedMinor }: RefundContext,
): Refund {
  const capture = captureToRefund(captures, body);
  const splits = (body.splits?.items ?? []).map((item) => splitRefund(captureSplitsOf(capture), item));
  refuseRepeats(splits);
  if (session.status !== 'Captured') throw new Refusal('refund_not_captured');
  if (inFlight) throw new Refusal('refund_in_flight');
  const left = refundable(session, capture.amount_minor - (capture.refunded_minor ?? 0), disputedMinor);
  const sum = splits.reduce((total, { amount }) => total + amount, 0);
  if (splits.length > 0 && (body.amount ?? sum) !== sum) throw new Refusal('refund_not_sum', { sum });
  const amountMinor = splits.length > 0 ? sum : (body.amount ?? left);
  if (amountMinor < 1 || amountMinor > left) throw new Refusal('refund_too_large', { left });
  const { reason } = body;
  // A split payment has fees on its splits only; this member refunds the fee on the whole payment.
  const refundPlatformFee = splits.length === 0 && (body.refundPlatformFee ?? false);
  if (refundPlatformFee && !capture.platform_fee_minor) throw new Refusal('no_platform_fee');
  return { amountMinor, capture, refundPlatformFee, splits, reason };
}

/**
 * Returns how much of a payment can be refunded, in minor units: `leftMinor`, or the undisputed amount if that is less.
 * @throws Refusal `nothing_left` or `refund_disputed`.
 */
export function refundable(session: PaymentSessionRow, leftMinor: number, disputedMinor: number): number {
  if (leftMinor === 0) throw new Refusal('nothing_left');
  const undisputed = session.captured_minor - session.refunded_minor - disputedMinor;
  if (undisputed < 1) throw new Refusal('refund_disputed');
  return Math.min(leftMinor, undisputed);
}

function captureToRefund(
  captures: PaymentTransactionRow[],
  { captureTransaction }: RefundRequest,
): PaymentTransactionRow {
  if (captureTransaction) {
    const named = captures.find(({ id }) => id === captureTransaction.id);
    if (!named) throw new Refusal('not_found', { what: 'capture' });
    return named;
  }
  if (captures.length > 1) throw new Refusal('capture_unnamed');
  const [only] = captures;
  if (!only) throw new Refusal('refund_not_captured');
  return only;
}

type Item = NonNullable<RefundRequest['splits']>['items'][number];

/** Returns the refund of one split: by default all that is left of it, and none of its fee. */
function splitRefund(parts: readonly CaptureSplit[], { id, amount, fee }: Item): Split {
  const part = parts.find((each) => each.id === id);
  if (!part) throw new Refusal('not_found', { what: 'split' });
  const left = part.amount - part.refundedMinor;
  const requested = amount ?? left;
  if (requested < 1 || requested > left) throw new Refusal('split_refund_too_large', { id, left });
  const feeLeft = (part.fee?.amount ?? 0) - part.feeRefundedMinor;
  if ((fee?.amount ?? 0) > feeLeft) throw new Refusal('split_fee_refund_too_large', { id, left: feeLeft });
  return { id, accountId: part.accountId, amount: requested, ...(fee && { fee }) };
}

function refuseRepeats(splits: readonly Split[]): void {
  if (new Set(splits.map(({ id }) => id)).size < splits.length) throw new Refusal('split_twice');
}

/** Reads what limits a refund of a payment session. */
export async function readRefundContext(
  queries: Queries,
  { refundHolds }: Pick<PaymentServices, 'refundHolds'>,
  sessionId: string,
): Promise<RefundContext> {
  return {
    captures: await listCaptures(queries, sessionId),
    inFlight:
      (await refundHolds.isRefundInFlight(queries, sessionId)) ||
      (await isPending(queries, sessionId, 'Refund')),
    disputedMinor: await refundHolds.disputedMinorOf(queries, sessionId),
  };
}
