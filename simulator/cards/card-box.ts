import { cardOf, type Card } from './card-profile.ts';
import amexContactless from './profiles/amex-contactless.json' with { type: 'json' };
import applePay from './profiles/apple-pay.json' with { type: 'json' };
import googlePay from './profiles/google-pay.json' with { type: 'json' };
import mastercardContactPin from './profiles/mastercard-contact-pin.json' with { type: 'json' };
import mastercardContactless from './profiles/mastercard-contactless.json' with { type: 'json' };
import visaBlockedPin from './profiles/visa-blocked-pin.json' with { type: 'json' };
import visaContactPin from './profiles/visa-contact-pin.json' with { type: 'json' };
import visaContactless from './profiles/visa-contactless.json' with { type: 'json' };
import visaDeclined from './profiles/visa-declined.json' with { type: 'json' };
import visaExpired from './profiles/visa-expired.json' with { type: 'json' };
import visaSwipe from './profiles/visa-swipe.json' with { type: 'json' };
import visaUnreadable from './profiles/visa-unreadable.json' with { type: 'json' };

// One line for each file of profiles/. The order is the one that people see.
const PROFILES: Record<string, unknown> = {
  'visa-contactless': visaContactless,
  'mastercard-contactless': mastercardContactless,
  'amex-contactless': amexContactless,
  'visa-contact-pin': visaContactPin,
  'mastercard-contact-pin': mastercardContactPin,
  'visa-swipe': visaSwipe,
  'apple-pay': applePay,
  'google-pay': googlePay,
  'visa-expired': visaExpired,
  'visa-blocked-pin': visaBlockedPin,
  'visa-unreadable': visaUnreadable,
  'visa-declined': visaDeclined,
};

/** The card that somebody presents who says nothing else. */
export const DEFAULT_CARD = 'visa-contactless';

export const CARD_NAMES = Object.keys(PROFILES);

const cards = new Map<string, Card>();

/** The card of this name, checked at its first use and shared by everybody; undefined when there is none. */
export function cardNamed(name: string): Card | undefined {
  const known = cards.get(name);
  if (known || !Object.hasOwn(PROFILES, name)) return known;
  const card = cardOf(name, PROFILES[name]);
  cards.set(name, card);
  return card;
}

/** Why a name is no card's name, for the one who gave it. */
export function noSuchCard(name: string): string {
  return `no card is called '${name.slice(0, 40)}'; the cards are: ${CARD_NAMES.join(', ')}`;
}
