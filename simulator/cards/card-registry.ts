import { createCard, type Card, type CardFile } from './card-profile.ts';
import { PROFILES } from './card-files.ts';

/** The card that is presented by default. */
export const DEFAULT_CARD = 'visa-contactless';

/**
 * The cards of the virtual reader. It has neither chip nor kernel, so cards with a special chip behaviour are left
 * out (see chip-card-registry.ts).
 */
export const CARD_NAMES = Object.keys(PROFILES).filter((name) => {
  const { chip, defect } = PROFILES[name] as Partial<CardFile>;
  return !chip?.behaviour || defect !== undefined;
});

const cards = new Map<string, Card>();

/** Returns a card by name, validated at its first use and shared; undefined when there is none. */
export function cardNamed(name: string): Card | undefined {
  const known = cards.get(name);
  if (known || !CARD_NAMES.includes(name)) return known;
  const card = createCard(name, PROFILES[name]);
  cards.set(name, card);
  return card;
}

/** Returns the error message for an unknown card name. */
export function unknownCardMessage(name: string): string {
  return `there is no card '${name.slice(0, 40)}'; the cards are: ${CARD_NAMES.join(', ')}`;
}
