import { createHash } from 'node:crypto';
import type { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { declineInPerson, declineOfMagicAmount } from '../../../protocol/test-cards.ts';
import { hasExpired, type Card } from './card.ts';
import { declineOf } from './test-cards.ts';
import type { ServerSettings } from '../../platform/settings.ts';

/** Decision of the issuing bank. Declined is an outcome, not a failure. */
export type Decision =
  { outcome: 'approved'; authorisationCode: string } | { outcome: 'declined'; code: string };

/** Code with which a fault lets a bank decline what it would approve. */
export const DECLINED_BY_FAULT = 'insufficient_funds';

export interface AuthorisationRequest {
  actionId: string;
  amountMinor: number;
  card: MaskedCard;
  verification: string;
  /** Schemes that the merchant does not accept for this payment (docs/choices.md, Disabled schemes). */
  disabledSchemes: readonly string[];
  /** Whether amounts select the outcome (docs/choices.md, Magic amounts). */
  magicAmounts: boolean;
  nowMs: number;
}

/** The decline of a card whose scheme the merchant does not accept for this payment; undefined when it does. */
export function declineOfScheme(scheme: string, disabledSchemes: readonly string[]): Decision | undefined {
  if (!disabledSchemes.includes(scheme)) return undefined;
  return { outcome: 'declined', code: `payment_method_option_${scheme.toLowerCase()}_disabled` };
}

/** Decides an authorisation. The same request gets the same decision. */
export function decide(request: AuthorisationRequest): Decision {
  const { actionId, amountMinor, card, verification, nowMs } = request;
  const declined = (code: string): Decision => ({ outcome: 'declined', code });
  const disabled = declineOfScheme(card.scheme, request.disabledSchemes);
  if (disabled) return disabled;
  const magic = request.magicAmounts ? declineOfMagicAmount(amountMinor) : undefined;
  if (magic) return declined(magic);
  if (hasExpired(card, nowMs)) return declined('expired_card');
  if (verification === 'PinFailed') return declined('security_violation');
  const blocked = declineInPerson(card);
  if (blocked) return declined(blocked);
  return { outcome: 'approved', authorisationCode: authorisationCodeOf(actionId) };
}

/**
 * Returns the authorisation code of an action that is approved: six characters, as ISO 8583 field 38. It is derived from
 * the action, so that a repeat returns the same.
 */
export function authorisationCodeOf(actionId: string): string {
  return createHash('sha256').update(actionId).digest('hex').slice(0, 6).toUpperCase();
}

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
