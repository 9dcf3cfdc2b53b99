import { CardsOffered } from '../../protocol/messages/sandbox.messages.ts';
import type { Services } from '../platform/services.ts';
import { setBounded } from '../platform/bounded-map.ts';
import type { OfferedCard } from './view.ts';

// Far more simulators than connect at once.
const SIMULATORS_MAX = 100;

/** Stores the cards that simulators offer. @returns a function that lists them, each card once */
export function watchOfferedCards({ gateway }: Pick<Services, 'gateway'>): () => OfferedCard[] {
  const offers = new Map<string, readonly OfferedCard[]>();
  gateway.onReport(CardsOffered, (simulatorId, { cards }) =>
    setBounded(offers, SIMULATORS_MAX, simulatorId, cards),
  );
  return () => [...new Map([...offers.values()].flat().map((card) => [card.name, card])).values()];
}
