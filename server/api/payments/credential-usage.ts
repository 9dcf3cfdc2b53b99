import type { PaymentSessionRow } from './payment-session.records.ts';
import type { CredentialUsage } from './payment-session.schema.ts';

type Series = Pick<PaymentSessionRow, 'payment_type' | 'previous_session_id'>;

/** A later payment of a series is begun by the merchant: nobody is there to be asked (Spec §2.2, rule 1). */
export function isMerchantInitiated({ payment_type: type, previous_session_id: previous }: Series): boolean {
  return type !== 'Standard' && previous !== null;
}

/** Who uses a kept card, and for the how manyeth time; undefined when none is kept or used. */
export function credentialUsageOf(
  session: Series,
  card: { kept: boolean; store: boolean },
): CredentialUsage | undefined {
  if (isMerchantInitiated(session)) return { initiator: 'Merchant', sequence: 'Subsequent' };
  if (session.payment_type !== 'Standard') return { initiator: 'Customer', sequence: 'Initial' };
  if (card.kept) return { initiator: 'Customer', sequence: 'Subsequent' };
  return card.store ? { initiator: 'Customer', sequence: 'Initial' } : undefined;
}

/** Whether the card is kept once the payment is approved: asked for, or needed for the rest of a series. */
export function keepsCard(usage: CredentialUsage | undefined): boolean {
  return usage?.initiator === 'Customer' && usage.sequence === 'Initial';
}
