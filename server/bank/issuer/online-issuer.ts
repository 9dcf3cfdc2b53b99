import { hasExpired, type Card } from './card.ts';
import { MAGIC_DECLINES } from './issuer.ts';
import { declineOf } from './test-cards.ts';
import type { ServerSettings } from '../../platform/settings.ts';

/** Whether amounts decide about payments without a terminal (docs/choices.md, Magic amounts). */
export function magicAmountsOnline({ mode, magicAmounts }: Pick<ServerSettings, 'mode' | 'magicAmounts'>) {
  return mode === 'sandbox' && magicAmounts === 'on';
}

export interface CardCheck {
  card: Card;
  cvc: string | undefined;
  /** Whether the shop has to send the security code: it has the card before it, not a token of it. */
  cvcRequired: boolean;
  wallet: 'ApplePay' | 'GooglePay' | undefined;
  /** Schemes and wallets that this payment does not take. */
  disabled: readonly string[];
  nowMs: number;
}

/** Why a card is declined before its issuer is asked; undefined when it is not. */
export function declineBeforeIssuer(check: CardCheck): string | undefined {
  const { card, disabled } = check;
  const refused = disabled.find((name) => name === card.scheme || name === check.wallet);
  if (refused) return `payment_method_option_${refused.toLowerCase()}_disabled`;
  if (hasExpired(card, check.nowMs)) return 'expired_card';
  if (check.cvcRequired && check.cvc === undefined) return 'cvc_required';
  return declineOf(card, check.cvc);
}

/** What the issuer says to an amount, once it is sure of the cardholder; undefined when it agrees. */
export function declineOfAmount(amountMinor: number, settings: ServerSettings): string | undefined {
  return magicAmountsOnline(settings) ? MAGIC_DECLINES[amountMinor % 1000] : undefined;
}

/** What the issuer says of address and security code, a letter each (docs/choices.md, Checks). */
export function checksOf(
  card: Card,
  given: { cvc: string | undefined; billingAddress: object | undefined; code: string | undefined },
): { avsResponseCode: string; cvvResponseCode: string } {
  const matched = card.scheme === 'Amex' ? 'Y' : 'M';
  const wrong = given.code === 'cvv2_failure';
  return {
    avsResponseCode: given.billingAddress ? 'Y' : 'U',
    cvvResponseCode: given.cvc === undefined ? 'U' : wrong ? 'N' : matched,
  };
}
