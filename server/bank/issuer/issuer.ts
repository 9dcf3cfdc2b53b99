import { createHash } from 'node:crypto';
import { declineOfMagicAmount } from '../../../protocol/magic-amounts.ts';
import type { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { declineInPerson } from '../../../protocol/test-cards.ts';
import { hasExpired } from './card.ts';

/** Decision of the issuing bank. Declined is an outcome, not a failure. */
export type Decision =
  { outcome: 'approved'; authorisationCode: string } | { outcome: 'declined'; code: string };

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
