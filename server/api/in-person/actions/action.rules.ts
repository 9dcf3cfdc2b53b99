import { Refusal } from '../../../platform/http/refusals.ts';
import { refundable } from '../../payments/captures-voids-refunds.rules.ts';
import type { PaymentSessionRow } from '../../payments/payment-session-row.ts';
import type { ActionEvent } from './action.machine.ts';
import type { ActionRow } from './action.records.ts';

interface RefundRequest {
  amountMinor: number | undefined;
  refundPlatformFee: boolean;
  inFlight: boolean;
  disputedMinor: number;
}

/**
 * Returns the amount of a refund on a terminal, in minor units (Spec §2.2).
 * @throws Refusal unless the payment is in-person and captured, no other refund is in progress, and the amount is left.
 */
export function refundAmountOf(session: PaymentSessionRow, request: RefundRequest): number {
  if (session.entry_mode !== 'InPerson') throw new Refusal('refund_not_in_person');
  if (session.status !== 'Captured') throw new Refusal('refund_not_captured');
  if (request.inFlight) throw new Refusal('refund_in_flight');
  const left = refundable(session, session.amount_minor - session.refunded_minor, request.disputedMinor);
  const { amountMinor = left } = request;
  if (amountMinor > left) throw new Refusal('refund_too_large', { left });
  if (request.refundPlatformFee && !session.platform_fee_minor) throw new Refusal('no_platform_fee');
  return amountMinor;
}

/** Returns whether a payment terminal has the request of an action, which no cancel reaches. */
export function isAtPaymentTerminal({ phase }: Pick<ActionRow, 'phase'>): boolean {
  return phase === 'atDevice' || phase === 'outcomeUnknown';
}

type CopyResult = { status: 'Succeeded' | 'Failed' } | undefined;

interface Confirmation {
  merchantCopy?: CopyResult;
  customerCopy?: CopyResult;
}

/** @throws Refusal when a confirmation names no copy. */
export function refuseNoCopy({ merchantCopy, customerCopy }: Confirmation): void {
  if (!merchantCopy && !customerCopy) throw new Refusal('no_copy_named');
}

/**
 * Returns the events of a confirmation, merchant copy first. A copy can be confirmed while it is required, and both at
 * once while the merchant copy is (docs/choices.md, Receipts).
 * @throws Refusal `copy_not_required`.
 */
export function eventsOfConfirmation(
  action: ActionRow,
  { merchantCopy, customerCopy }: Confirmation,
): ActionEvent[] {
  if (merchantCopy && action.merchant_copy !== 'Required') {
    throw new Refusal('copy_not_required', { copy: 'merchantCopy' });
  }
  if (customerCopy && action.customer_copy !== 'Required' && !merchantCopy) {
    throw new Refusal('copy_not_required', { copy: 'customerCopy' });
  }
  const events: ActionEvent[] = [];
  if (merchantCopy) events.push({ type: `merchantCopy.${verb(merchantCopy)}` });
  if (customerCopy) events.push({ type: `customerCopy.${verb(customerCopy)}` });
  return events;
}

function verb(copy: NonNullable<CopyResult>): 'confirmed' | 'failed' {
  return copy.status === 'Succeeded' ? 'confirmed' : 'failed';
}
