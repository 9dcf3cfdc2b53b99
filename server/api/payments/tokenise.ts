import { findCardToken, createCardToken } from '../customers/card-tokens.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { binDetailsOf, type Card } from '../../bank/issuer/card.ts';
import { checksOf, declineBeforeIssuer, type CardCheck } from '../../bank/issuer/online-issuer.ts';
import type { PaymentMethod } from './payment-method-details.schema.ts';
import { disabledPaymentMethods } from './card-usage.ts';
import type { PaymentContext } from './session-events.ts';
import type { Address } from '../customers/address.schema.ts';

/** What is paid with. The number of a card has been read already: `undefined` is a card that cannot exist. */
export type PaymentInstrument =
  | { kind: 'card'; card: Card | undefined; cvc: string | undefined }
  | { kind: 'wallet'; card: Card; wallet: 'ApplePay' | 'GooglePay' }
  | { kind: 'token'; paymentMethodId: string; cvc: string | undefined };

/** A card that has been presented, known from here on by its token. */
interface Tokenised {
  card: Card;
  paymentMethod: PaymentMethod;
  /** Why it is declined before its issuer is asked. */
  code: string | undefined;
  kept: boolean;
}

/** Makes a token of the card, or finds the card of a token; undefined for a card that cannot exist. */
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
  return { card, paymentMethod, code, kept: false };
}

/** @throws Refusal for a token that is not there, that another customer has, or that has been used. */
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
  const address = billingAddress ?? (card.billingAddress as Address | undefined);
  const checks = checksOf(card, { cvc, billingAddress: address, code });
  const paymentMethod = describe(card, card.id, { stored: true, billingAddress: address, checks });
  return { card, paymentMethod, code, kept: true };
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
