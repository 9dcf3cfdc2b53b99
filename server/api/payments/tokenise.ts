import { findCardToken, createCardToken } from '../customers/card-tokens.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { binDetailsOf, type Card } from '../../bank/issuer/card.ts';
import { checksOf, declineBeforeIssuer, type CardCheck } from '../../bank/issuer/issuer.ts';
import type { PaymentMethod } from './payment-method-details.schema.ts';
import { disabledPaymentMethods } from './card-usage.ts';
import type { PaymentContext } from './session-events.ts';
import type { Address } from '../customers/address.schema.ts';

/** What an attempt pays with. `card` is undefined when the card number is not valid. */
export type PaymentInstrument =
  | { kind: 'card'; card: Card | undefined; cvc: string | undefined }
  | { kind: 'wallet'; card: Card | undefined; wallet: 'ApplePay' | 'GooglePay' | undefined }
  | { kind: 'token'; paymentMethodId: string; cvc: string | undefined };

/** A card and the payment method made of its token. */
interface Tokenised {
  card: Card;
  paymentMethod: PaymentMethod;
  /** Decline code of the checks before the issuer's; undefined when they pass. */
  code: string | undefined;
  isStored: boolean;
}

/**
 * Creates the token of a card, or finds the card of a token. Returns undefined for an invalid card number.
 * @throws Refusal for a token that is unknown, used already, or of another customer.
 */
export async function tokenise(
  context: PaymentContext,
  instrument: PaymentInstrument,
  billingAddress: Address | undefined,
): Promise<Tokenised | undefined> {
  const { tx, services, session } = context;
  if (instrument.kind === 'token') return findToken(context, instrument, billingAddress);
  const { card } = instrument;
  if (!card) return undefined;
  const cvc = instrument.kind === 'card' ? instrument.cvc : undefined;
  const wallet = instrument.kind === 'wallet' ? instrument.wallet : undefined;
  const cvcRequired = instrument.kind === 'card' && session.entry_mode === 'Online';
  const code = await codeOf(context, { card, cvc, cvcRequired, wallet });
  const checks = checksOf(card, { cvc, billingAddress, code });
  const { id } = await createCardToken(tx, services, {
    accountId: session.account_id,
    sessionId: session.id,
    customerId: session.customer_id ?? undefined,
    card,
    billingAddress,
    checks,
    stored: false,
  });
  const paymentMethod: PaymentMethod = {
    ...describe(card, id, { stored: false, billingAddress, checks }),
    ...(wallet && { wallet: { type: wallet } }),
  };
  return { card, paymentMethod, code, isStored: false };
}

/** @throws Refusal for a token that is unknown, used already, or of another customer. */
async function findToken(
  context: PaymentContext,
  { paymentMethodId, cvc }: Extract<PaymentInstrument, { kind: 'token' }>,
  billingAddress: Address | undefined,
): Promise<Tokenised> {
  const { tx, session } = context;
  const card = await findCardToken(tx, session.account_id, paymentMethodId);
  if (!card) throw new Refusal('not_found', { what: 'payment method' });
  if (!card.stored) throw new Refusal('method_used_once');
  if (card.customerId !== session.customer_id) throw new Refusal('method_of_another');
  const code = await codeOf(context, { card, cvc, cvcRequired: false, wallet: undefined });
  const address = billingAddress ?? card.billingAddress;
  const checks = checksOf(card, { cvc, billingAddress: address, code });
  const paymentMethod = describe(card, card.id, { stored: true, billingAddress: address, checks });
  return { card, paymentMethod, code, isStored: true };
}

async function codeOf(
  { tx, services, session }: PaymentContext,
  check: Omit<CardCheck, 'disabled' | 'nowMs'>,
): Promise<string | undefined> {
  const disabled = await disabledPaymentMethods(tx, session);
  return declineBeforeIssuer({ ...check, disabled, nowMs: services.clock.nowMs() });
}

function describe(
  { scheme, last4 }: Card,
  id: string,
  more: { stored: boolean; billingAddress: Address | undefined; checks: PaymentMethod['checks'] },
): PaymentMethod {
  const { stored, billingAddress, checks } = more;
  return {
    type: 'Card',
    tokenizedDetails: { id, stored },
    card: { scheme, last4, binDetails: binDetailsOf(scheme) },
    ...(billingAddress && { billingAddress }),
    ...(checks && { checks }),
  };
}
