import { signal, type Signal } from '@preact/signals';

/** Script of the cardholder at a simulated terminal, as `cardholder` of the sandbox takes it. */
export type Script = 'none' | 'tap' | 'contact-pin' | 'wrong-pin-twice' | 'remove-early' | 'press-cancel';

export const SCRIPTS: readonly { script: Script; label: string }[] = [
  { script: 'none', label: 'you, with the card below' },
  { script: 'tap', label: 'somebody who taps' },
  { script: 'contact-pin', label: 'somebody who inserts, and types the PIN' },
  { script: 'wrong-pin-twice', label: 'somebody who gets the PIN wrong twice' },
  { script: 'remove-early', label: 'somebody who takes the card away early' },
  { script: 'press-cancel', label: 'somebody who presses cancel' },
];

const known = new Map<string, Signal<Script | undefined>>();

/** The cardholder script that this page has set for a terminal; undefined before it sets one. */
export function cardholderOf(terminalId: string): Signal<Script | undefined> {
  const found = known.get(terminalId) ?? signal<Script | undefined>(undefined);
  known.set(terminalId, found);
  return found;
}
