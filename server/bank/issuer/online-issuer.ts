import { declineOfMagicAmount } from '../../../protocol/magic-amounts.ts';
import { hasExpired, type Card } from './card.ts';
import { declineOf } from './test-cards.ts';
import type { ServerSettings } from '../../platform/settings.ts';

/** Whether amounts select the outcome of payments without a terminal (docs/choices.md, Magic amounts). */
export function magicAmountsOnline({ mode, magicAmounts }: Pick<ServerSettings, 'mode' | 'magicAmounts'>) {
  return mode === 'sandbox' && magicAmounts === 'on';
}

export interface CardCheck {
  card: Card;
  cvc: string | undefined;
  /** Whether the shop must send the security code: it sends the card itself, not a token. */
  cvcRequired: boolean;
  wallet: 'ApplePay' | 'GooglePay' | undefined;
  /** Schemes and wallets that this payment does not accept. */
  disabled: readonly string[];
  nowMs: number;
}

/** The decline of a card before the issuer's decision; undefined when there is none. */
export function declineBeforeIssuer(check: CardCheck): string | undefined {
  const { card, disabled } = check;
  const refused = disabled.find((name) => name === card.scheme || name === check.wallet);
  if (refused) return `payment_method_option_${refused.toLowerCase()}_disabled`;
  if (hasExpired(card, check.nowMs)) return 'expired_card';
  if (check.cvcRequired && check.cvc === undefined) return 'cvc_required';
  return declineOf(card, check.cvc);
}

/** The issuer's decline of an amount, after authentication; undefined when it approves. */
export function declineOfAmount(amountMinor: number, settings: ServerSettings): string | undefined {
  return magicAmountsOnline(settings) ? declineOfMagicAmount(amountMinor) : undefined;
}

/** Results of the address and security code checks, a letter each (docs/choices.md, Checks). */
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
