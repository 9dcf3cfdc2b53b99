import type { OfferedCard } from '../../view.ts';

type EntryMode = OfferedCard['entryModes'][number];

/** Ways to present a card, in the order of the buttons. `Tap` includes wallets on phones. */
export const ENTRY_METHODS = [
  { name: 'Tap', icon: 'tap', modes: ['Contactless', 'Wallet'] },
  { name: 'Insert', icon: 'insert', modes: ['Contact'] },
  { name: 'Swipe', icon: 'swipe', modes: ['Swipe'] },
] as const satisfies readonly { name: string; icon: string; modes: readonly EntryMode[] }[];
export type EntryMethod = (typeof ENTRY_METHODS)[number];

/** Returns the entry mode of a card that is presented this way; undefined when the card does not support it. */
export function entryModeFor(
  card: Pick<OfferedCard, 'entryModes'>,
  method: EntryMethod,
): EntryMode | undefined {
  return card.entryModes.find((mode) => (method.modes as readonly EntryMode[]).includes(mode));
}
