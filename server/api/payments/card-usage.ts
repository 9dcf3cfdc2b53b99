import { Refusal } from '../../platform/http/refusals.ts';
import { readCallerAccount } from '../accounts/account.records.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { disabledSchemesOf } from '../accounts/account-profile.ts';
import { settingsOf, type PaymentSessionRow } from './payment-session-row.ts';
import type { CredentialUsage } from './payment-session.schema.ts';
import type { PaymentServices } from './payment-services.ts';

/**
 * Returns the schemes and wallets that a payment session does not accept: those that it disables, and schemes for which
 * its account has no capability (docs/choices.md, Disabled schemes, Capabilities).
 */
export async function disabledPaymentMethods(tx: Transaction, session: PaymentSessionRow): Promise<string[]> {
  const account = await readCallerAccount(tx, session.account_id);
  return [...(settingsOf(session).paymentMethodOptions?.disabled ?? []), ...disabledSchemesOf(account)];
}

type Series = Pick<PaymentSessionRow, 'payment_type' | 'previous_session_id'>;

/** Returns whether a payment is a later one of a series, without the cardholder present (Spec §2.2, rule 1). */
export function isMerchantInitiated({ payment_type: type, previous_session_id: previous }: Series): boolean {
  return type !== 'Standard' && previous !== null;
}

/** Returns the credential-on-file usage of a payment; undefined when no card is stored or used from storage. */
export function credentialUsageOf(
  session: Series,
  card: { stored: boolean; store: boolean },
): CredentialUsage | undefined {
  if (isMerchantInitiated(session)) return { initiator: 'Merchant', sequence: 'Subsequent' };
  if (session.payment_type !== 'Standard') return { initiator: 'Customer', sequence: 'Initial' };
  if (card.stored) return { initiator: 'Customer', sequence: 'Subsequent' };
  return card.store ? { initiator: 'Customer', sequence: 'Initial' } : undefined;
}

/**
 * The first and each other payment of a series stores the card that it brings, except a subscription's, whose card is
 * stored anyway (docs/choices.md, Attempts).
 * @throws Refusal `store_missing` when an attempt with a card or a wallet does not ask for that.
 */
export async function refuseUnstored(
  tx: Transaction,
  { subscriptionSessions }: Pick<PaymentServices, 'subscriptionSessions'>,
  { id, payment_type: type }: PaymentSessionRow,
  attempt: { instrument: { kind: string }; store: boolean },
): Promise<void> {
  if (type === 'Standard' || attempt.store || attempt.instrument.kind === 'token') return;
  if (await subscriptionSessions.isOfSubscription(tx, id)) return;
  throw new Refusal('store_missing', { type });
}

/** Returns whether the card is stored once the payment is approved: on request, or for the rest of a series. */
export function storesCard(usage: CredentialUsage | undefined): boolean {
  return usage?.initiator === 'Customer' && usage.sequence === 'Initial';
}
