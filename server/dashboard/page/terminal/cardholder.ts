import { signal } from '@preact/signals';
import type { OfferedCard } from '../../view.ts';
import { isOneOf } from '../../../../protocol/tables.ts';

/**
 * Behaviour of the simulated cardholder: the `script` of `POST /sandbox/terminals/{id}/cardholder`. `presents` is how it
 * presents a card, where it does.
 */
export const SCRIPTS = [
  { script: 'none', label: 'You present the card', presents: undefined },
  { script: 'tap', label: 'Taps the card', presents: 'any' },
  { script: 'contact-pin', label: 'Inserts the card and enters the PIN', presents: 'Contact' },
  { script: 'wrong-pin-twice', label: 'Enters a wrong PIN twice', presents: 'Contact' },
  { script: 'remove-early', label: 'Removes the card too early', presents: 'any' },
  { script: 'walk-away', label: 'Walks away', presents: undefined },
  { script: 'press-cancel', label: 'Presses cancel', presents: undefined },
] as const;

export type Script = (typeof SCRIPTS)[number]['script'];

/** The script for the next action; null for what is set for the terminal. */
export const nextScript = signal<Script | null>('none');

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
  return card.entryModes.find((mode) => isOneOf(method.modes, mode));
}
