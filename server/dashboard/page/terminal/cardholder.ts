import { signal, type Signal } from '@preact/signals';

/** Behaviour of the simulated cardholder: the `script` of `POST /sandbox/terminals/{id}/cardholder`. */
export type Script = 'none' | 'tap' | 'contact-pin' | 'wrong-pin-twice' | 'remove-early' | 'press-cancel';

export const SCRIPTS: readonly { script: Script; label: string }[] = [
  { script: 'none', label: 'You present the card below' },
  { script: 'tap', label: 'Taps the card' },
  { script: 'contact-pin', label: 'Inserts the card and enters the PIN' },
  { script: 'wrong-pin-twice', label: 'Enters a wrong PIN twice' },
  { script: 'remove-early', label: 'Removes the card too early' },
  { script: 'press-cancel', label: 'Presses cancel' },
];

const known = new Map<string, Signal<Script | undefined>>();

/** The cardholder script that this page has set for a terminal; undefined before it sets one. */
export function cardholderOf(terminalId: string): Signal<Script | undefined> {
  const found = known.get(terminalId) ?? signal<Script | undefined>(undefined);
  known.set(terminalId, found);
  return found;
}
