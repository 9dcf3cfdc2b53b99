import { signal } from '@preact/signals';

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
