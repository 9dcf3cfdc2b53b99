import { encode, type BodyOf, type Envelope } from '../protocol/message.ts';
import { CardsOffered } from '../protocol/messages/sandbox.messages.ts';
import { CARD_NAMES } from './cards/card-registry.ts';
import type { CardFile } from './cards/card-profile.ts';
import { PROFILES } from './cards/card-files.ts';

/**
 * Returns the `cards.offered` message with all cards. Its topic contains `simulatorId` in place of a terminal id.
 */
export function cardsOfferedMessage(simulatorId: string): Envelope {
  return encode(CardsOffered, simulatorId, { cards: CARD_NAMES.map(describeCard) });
}

function describeCard(name: string): BodyOf<typeof CardsOffered>['cards'][number] {
  const { title, entryModes, pin } = PROFILES[name] as CardFile;
  return { name, title, entryModes, hasPin: pin !== undefined };
}
