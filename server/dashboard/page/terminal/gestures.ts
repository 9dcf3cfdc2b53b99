import type { OfferedCard } from '../../view.ts';

type EntryMode = OfferedCard['entryModes'][number];

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
