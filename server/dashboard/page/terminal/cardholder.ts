import { signal } from '@preact/signals';

/** Behaviour of the simulated cardholder: the `script` of `POST /sandbox/terminals/{id}/cardholder`. */
export const SCRIPTS = [
  { script: 'none', label: 'You present the card' },
  { script: 'tap', label: 'Taps the card' },
  { script: 'contact-pin', label: 'Inserts the card and enters the PIN' },
  { script: 'wrong-pin-twice', label: 'Enters a wrong PIN twice' },
  { script: 'remove-early', label: 'Removes the card too early' },
  { script: 'walk-away', label: 'Walks away' },
  { script: 'press-cancel', label: 'Presses cancel' },
] as const;

export type Script = (typeof SCRIPTS)[number]['script'];

/** The script for the next action; null for what is set for the terminal. */
export const nextScript = signal<Script | null>('none');

/** An action that this page started or changed, with the script of its cardholder. */
export const chosenFor = signal<{ actionId: string; script: Script } | undefined>(undefined);
