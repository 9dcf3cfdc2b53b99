import { Fault } from '../../../../protocol/failures.ts';
import type { MaskedCard } from '../../../../protocol/messages/card-data.schema.ts';
import { binDetailsOf } from '../../../bank/issuer/card.ts';
import type { ActionServices } from './terminal-commands.ts';
import { parseJson } from '../../../platform/store/json-text.ts';
import type { Transaction } from '../../../platform/store/store.ts';
import type { PaymentSessionRow } from '../../payments/payment-session-row.ts';
import { lockSession } from '../../payments/payment-session.records.ts';
import type { PaymentMethod } from '../../payments/payment-method-details.schema.ts';
import type { PaymentContext } from '../../payments/session-events.ts';
import * as settlement from '../../payments/settlement.ts';
import { listCaptures } from '../../payments/payment-transaction.records.ts';
import type { MoneyEffect } from './action.machine.ts';
import type { ActionRow } from './action.records.ts';

/** Locks the payment session of an action and returns it. */
export async function sessionOf(tx: Transaction, action: ActionRow): Promise<PaymentSessionRow> {
  const session = await lockSession(tx, action.account_id, action.session_id);
  if (!session) throw new Fault('internal', 'an action without its payment session');
  return session;
}

/**
 * Applies a money effect of a step to the payment session of the action. Returns the session where another effect may
 * follow in the same step.
 */
export async function applyMoneyEffect(
  tx: Transaction,
  services: ActionServices,
  { action, effect, session }: { action: ActionRow; effect: MoneyEffect; session: PaymentSessionRow },
): Promise<PaymentSessionRow | void> {
  const begunMs = action.created_ms;
  const context = { tx, services, session, inOrderOf: action.terminal_id, begunMs };
  const decision = action.decision === null ? undefined : parseJson(action.decision);
  const paymentMethod = decision && paymentMethodOf(decision.card);
  const { amount_minor: amountMinor } = action;
  switch (effect) {
    case 'approve':
      return settlement.approve(context, paymentMethod!);
    case 'decline':
      return void (await settlement.decline(context, paymentMethod, action.error_code!));
    case 'capture':
      return void (await settlement.capture(context, { ...settlement.fullCapture(session), amountMinor }));
    case 'void':
      return void (await settlement.voidPayment(context));
    case 'refund':
      return refundOf(context, action, paymentMethod);
    case 'failRefund':
      return settlement.failRefund(context, { amountMinor, paymentMethod });
  }
}

async function refundOf(
  context: PaymentContext,
  action: ActionRow,
  paymentMethod: PaymentMethod | undefined,
): Promise<void> {
  // An in-person payment has one capture.
  const [captured] = await listCaptures(context.tx, action.session_id);
  if (!captured) throw new Fault('internal', 'a captured payment session has no capture');
  await settlement.refund(context, {
    amountMinor: action.amount_minor,
    capture: captured,
    refundPlatformFee: action.refund_platform_fee === 1,
    splits: [],
    paymentMethod,
  });
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
