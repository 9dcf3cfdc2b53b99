import { createCard, type Card, type CardProfile } from './card-profile.ts';
import { PROFILES } from './profiles.ts';

/** The card that somebody presents who says nothing else. */
export const DEFAULT_CARD = 'visa-contactless';

/**
 * The cards of the virtual reader. What makes others special happens between chip and kernel, of which that reader
 * has neither: those are in the box of chips alone (chip-box.ts).
 */
export const CARD_NAMES = Object.keys(PROFILES).filter((name) => {
  const { chip, defect } = PROFILES[name] as Partial<CardProfile>;
  return !chip?.behaviour || defect !== undefined;
});

const cards = new Map<string, Card>();

/** The card of this name, checked at its first use and shared by everybody; undefined when there is none. */
export function cardNamed(name: string): Card | undefined {
  const known = cards.get(name);
  if (known || !CARD_NAMES.includes(name)) return known;
  const card = createCard(name, PROFILES[name]);
  cards.set(name, card);
  return card;
}

/** Why a name is no card's name, for the one who gave it. */
export function unknownCardMessage(name: string): string {
  return `no card is called '${name.slice(0, 40)}'; the cards are: ${CARD_NAMES.join(', ')}`;
}
