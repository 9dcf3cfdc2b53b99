import type { Ids } from '../../../protocol/ids.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { refusePlatformFee } from './amount.rules.ts';
import { createSplits, feeAllocationOf } from './splits-and-fees.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { detailsOf, splitsOf } from './session-parts.ts';
import type { Capture } from './settlement.ts';
import { refuseSplits } from './split.rules.ts';
import type { CaptureRequest } from './capture.schema.ts';

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
