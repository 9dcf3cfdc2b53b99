import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OfferedCard } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';

export type EntryMode = OfferedCard['entryModes'][number];

/** What is done with a card, in the order of the buttons. A phone is tapped too. */
export const GESTURES = [
  { name: 'Tap', icon: 'tap', modes: ['Contactless', 'Wallet'] },
  { name: 'Insert', icon: 'insert', modes: ['Contact'] },
  { name: 'Swipe', icon: 'swipe', modes: ['Swipe'] },
] as const satisfies readonly { name: string; icon: string; modes: readonly EntryMode[] }[];
export type Gesture = (typeof GESTURES)[number];

/** How the card is read by this gesture; undefined when it cannot be. */
export function modeOf(card: Pick<OfferedCard, 'entryModes'>, gesture: Gesture): EntryMode | undefined {
  return card.entryModes.find((mode) => (gesture.modes as readonly EntryMode[]).includes(mode));
}

const cards = signal<readonly OfferedCard[]>([]);

/** The cards at hand: what the simulators have said that they have. */
export function useCards(): readonly OfferedCard[] {
  const { api, link } = useDashboard();
  const wanted = link.value.kind === 'online' && cards.value.length === 0;
  useEffect(() => {
    if (!wanted) return;
    void api.get<{ cards: OfferedCard[] }>('/dashboard/cards').then((answer) => {
      if (answer.ok) cards.value = answer.body.cards;
    });
  }, [wanted]);
  return cards.value;
}
