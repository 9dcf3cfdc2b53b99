import { refundAmountOf } from '../../../server/api/in-person/actions/action.rules.ts';
import { Refusal } from '../../../server/platform/http/refusals.ts';
import { beginStep } from '../places.ts';

type Session = Parameters<typeof refundAmountOf>[0];
type Request = Parameters<typeof refundAmountOf>[1];

/** A request to refund a payment of 1,000 on a terminal, and what must come of it: an amount or a refusal. */
interface Refund {
  session: Partial<Session>;
  request: Partial<Request>;
  outcome: number | string;
}

const partly = { refunded_minor: 400 };

/** Spec §2.2 and §4.12: without an amount all that is left. */
export const REFUNDS: readonly Refund[] = [
  { session: {}, request: {}, outcome: 1_000 },
  { session: {}, request: { amountMinor: 1_000 }, outcome: 1_000 },
  { session: {}, request: { amountMinor: 300 }, outcome: 300 },
  { session: {}, request: { amountMinor: 1_001 }, outcome: 'refund_too_large' },
  { session: partly, request: {}, outcome: 600 },
  { session: partly, request: { amountMinor: 600 }, outcome: 600 },
  { session: partly, request: { amountMinor: 601 }, outcome: 'refund_too_large' },
  { session: { refunded_minor: 1_000 }, request: {}, outcome: 'nothing_left' },
  { session: {}, request: { disputedMinor: 300 }, outcome: 700 },
  { session: {}, request: { disputedMinor: 1_000 }, outcome: 'refund_disputed' },
  { session: { entry_mode: 'Online' }, request: {}, outcome: 'refund_not_in_person' },
  { session: { status: 'Approved' }, request: {}, outcome: 'refund_not_captured' },
  { session: {}, request: { inFlight: true }, outcome: 'refund_in_flight' },
  { session: {}, request: { refundPlatformFee: true }, outcome: 'no_platform_fee' },
  { session: { platform_fee_minor: 50 }, request: { refundPlatformFee: true }, outcome: 1_000 },
  { session: { platform_fee_minor: 50 }, request: {}, outcome: 1_000 },
];

/** Asks for a refund; returns the property that is broken if another amount or another refusal comes of it. */
export function brokenByRefund({ session, request, outcome }: Refund): string[] {
  beginStep();
  const payment = {
    entry_mode: 'InPerson',
    status: 'Captured',
    amount_minor: 1_000,
    captured_minor: 1_000,
    refunded_minor: 0,
    platform_fee_minor: null,
    ...session,
  } as Session;
  const asked = {
    amountMinor: undefined,
    refundPlatformFee: false,
    inFlight: false,
    disputedMinor: 0,
    ...request,
  };
  try {
    return refundAmountOf(payment, asked) === outcome ? [] : ['refundsRight'];
  } catch (error) {
    return error instanceof Refusal && error.refusal === outcome ? [] : ['refundsRight'];
  }
}
