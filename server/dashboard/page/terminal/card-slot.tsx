import type { FleetTerminal } from '../../view.ts';
import { useCards } from './cards.ts';

/** The slot of the reader with the card that is in it, or in its field. */
export function CardSlot({ card }: Pick<NonNullable<FleetTerminal['deviceState']>, 'card'>) {
  const cards = useCards();
  const title = card && (cards.find(({ name }) => name === card.name)?.title ?? card.name);
  return (
    <p class={`card-slot${card ? ' full' : ''}`} data-card={card?.name ?? ''}>
      {card ? `${title}, ${card.entryMode.toLowerCase()}` : 'No card at the reader'}
    </p>
  );
}
