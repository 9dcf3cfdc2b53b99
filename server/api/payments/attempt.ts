import { keepCallerAccount } from '../accounts/account.records.ts';
import { findCardToken } from '../customers/card-tokens.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { attemptPayment } from './attempt-payment.ts';
import { createSession } from './payment-session.records.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import type { PaymentSession } from './payment-session.schema.ts';
import { decline } from './settlement.ts';
import type { ShippingDetails } from './order.schema.ts';
import type { PaymentServices } from './payment-services.ts';

/** Terms of a payment that another area requests. The account's settings are the defaults. */
interface CreateSessionInput {
  accountId: string;
  amountMinor: number;
  currency: string;
  customerId?: string | undefined;
  customerEmail?: string | undefined;
  paymentType: PaymentSession['paymentType'];
  /** The previous payment of the series; this one is then initiated by the merchant. */
  previousSessionId?: string | undefined;
  /** Verifies the card only: the amount is 0, and the session ends Approved (Spec §2.2, rule 2). */
  verifyAccount?: boolean | undefined;
  statementDescriptor?: { descriptor: string; city: string } | undefined;
  shippingDetails?: ShippingDetails | undefined;
  metadata?: Record<string, string> | undefined;
}

/** Creates an online session for another area. The caller has checked the rules. It is captured when it is paid. */
export async function createOnlineSession(
  tx: Transaction,
  services: Context,
  input: CreateSessionInput,
): Promise<PaymentSessionRow> {
  const { settings } = await keepCallerAccount(tx, input.accountId);
  const { shippingDetails, customerId } = input;
  return createSession(tx, services, settings, {
    ...input,
    amount: input.amountMinor,
    entryMode: 'Online',
    captureFlow: input.verifyAccount ? 'Manual' : 'Automatic',
    details: {
      ...(customerId !== undefined && { customerDetails: { id: customerId } }),
      ...(shippingDetails && { shippingDetails }),
    },
  });
}

/**
 * Charges a stored card for a session of a subscription, without the cardholder. The returned session is Captured, or PendingPayment
 * with its `last_error`, also when the card is deleted.
 */
export async function chargeSession(
  tx: Transaction,
  services: PaymentServices,
  session: PaymentSessionRow,
  { paymentMethodId, subscriptionId }: { paymentMethodId: string; subscriptionId: string },
): Promise<PaymentSessionRow> {
  const card = await findCardToken(tx, session.account_id, paymentMethodId);
  if (card?.stored && card.customerId === session.customer_id) {
    const instrument = { kind: 'token', paymentMethodId, cvc: undefined } as const;
    return attemptPayment(tx, services, session, {
      instrument,
      store: false,
      channel: 'Browser',
      subscriptionId,
    });
  }
  return decline({ tx, services, session, unattended: true }, undefined, 'invalid_account');
}
