import { Fault } from '../../../protocol/failures.ts';
import type { MaskedCard } from '../../../protocol/messages/action.messages.ts';
import type { EventType } from '../webhooks/event-types.ts';
import { binDetailsOf } from '../../bank/issuer/card.ts';
import { findSession, type PaymentSessionRow } from '../payments/payment-session.records.ts';
import type { PaymentMethod } from '../payments/payment-method-details.schema.ts';
import * as settlement from '../payments/settlement.ts';
import { listCaptures } from '../payments/transaction.records.ts';
import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { ActionEffect } from './action.machine.ts';
import type { ActionRow } from './action.records.ts';

/** The event that each movement of money raises. */
export const EVENT_OF = {
  approve: 'PaymentSession.approved',
  decline: 'PaymentSession.declined',
  capture: 'PaymentSession.captured',
  void: 'PaymentSession.voided',
  refund: 'PaymentSession.refunded',
  refuseRefund: 'PaymentSession.refund_failed',
} as const satisfies Partial<Record<ActionEffect['type'], EventType>>;

export type MoneyEffect = keyof typeof EVENT_OF;

/** Does to the money of an action's session what a step of the action says. */
export async function moveMoney(
  tx: Transaction,
  services: Services,
  action: ActionRow,
  effect: MoneyEffect,
): Promise<PaymentSessionRow> {
  const session = await findSession(tx, action.account_id, action.session_id);
  if (!session) throw new Fault('internal', 'an action without its payment session');
  const movement = { tx, services, session };
  const kept = action.decision === null ? undefined : parseJson(action.decision);
  const paymentMethod = kept && paymentMethodOf(kept.card);
  switch (effect) {
    case 'approve':
      return settlement.approve(movement, paymentMethod!);
    case 'decline':
      return settlement.decline(movement, paymentMethod, action.error_code!);
    case 'capture':
      return (await settlement.capture(movement, settlement.wholeOf(session))).session;
    case 'void':
      return (await settlement.voidPayment(movement)).session;
    case 'refund':
      return refundOf(movement, action, paymentMethod);
    case 'refuseRefund':
      await settlement.addTransaction(movement, {
        type: 'Refund',
        status: 'Failed',
        amountMinor: action.amount_minor,
        ...(paymentMethod && { paymentMethod }),
      });
      return session;
  }
}

async function refundOf(
  movement: settlement.Movement,
  action: ActionRow,
  paymentMethod: PaymentMethod | undefined,
): Promise<PaymentSessionRow> {
  // What a terminal takes, it takes in one capture.
  const [captured] = await listCaptures(movement.tx, action.session_id);
  if (!captured) throw new Fault('internal', 'a captured payment session has no capture');
  const { session } = await settlement.refund(movement, {
    amountMinor: action.amount_minor,
    capture: captured,
    refundPlatformFee: action.refund_platform_fee === 1,
    splits: [],
    paymentMethod,
  });
  return session;
}

function paymentMethodOf(card: MaskedCard): PaymentMethod {
  return {
    type: 'Card',
    card: {
      scheme: card.scheme,
      last4: card.last4,
      binDetails: binDetailsOf(card.scheme, card.fundingType),
    },
    ...(card.wallet && { wallet: { type: card.wallet } }),
  };
}
