import type { SessionEvent } from '../payments/payment-session.machine.ts';
import type { MoneyEffect } from './action.machine.ts';
import type { ActionRow } from './action.records.ts';

type MoneyEvent = Extract<
  SessionEvent,
  {
    type: 'payment.approved' | 'payment.declined' | 'amount.captured' | 'payment.voided' | 'amount.refunded';
  }
>;

/**
 * Returns the event of the payment session by which an effect of an action moves its money; undefined when no money
 * moves.
 */
export function sessionEventOf(
  { amount_minor: amountMinor }: ActionRow,
  effect: MoneyEffect,
): MoneyEvent | undefined {
  switch (effect) {
    case 'approve':
      return { type: 'payment.approved' };
    case 'decline':
      return { type: 'payment.declined' };
    case 'capture':
      return { type: 'amount.captured', amountMinor, final: true };
    case 'void':
      return { type: 'payment.voided' };
    case 'refund':
      return { type: 'amount.refunded', amountMinor };
    case 'failRefund':
      return undefined;
  }
}
