import { cardNamed } from '../../cards/card-registry.ts';
import type { Card } from '../../cards/card-profile.ts';
import { createKeypad, type Key } from '../../pin-pad.ts';
import type { CardTray } from '../twin.ts';

/** What the terminal waits for at its front: `nothing` while it works, and `idle` once its work is over. */
export type FrontWait = 'card' | 'pin' | 'nothing' | 'idle';

/** The front of the terminal: where a card is held or inserted, and its keys. */
export interface CardholderSide {
  readonly waits: FrontWait;
  /** Number of digits of the PIN that is being typed. */
  readonly typedDigits: number;
  /** Calls `listener` synchronously when the terminal begins to wait for something else, or for the same again. */
  watch(listener: (waits: FrontWait) => void): void;
  /** Resolves when a card is there. */
  card(): Promise<Card>;
  /** Resolves with what was typed and confirmed, or that cancel was pressed. Begins a fresh PIN. */
  pin(): Promise<{ digits: string } | 'cancelled'>;
  /** Resolves when cancel is pressed outside PIN entry. */
  cancelled(): Promise<void>;
  press(keys: readonly Key[]): void;
  /** Called when the work of the terminal is over, whatever it still waits for. */
  rest(): void;
}

// A till may connect for each payment: the front is there before and after it.
const fronts = new WeakMap<CardTray, CardholderSide>();

/** Returns the front of the terminal with this tray. */
export function frontOf(tray: CardTray): CardholderSide {
  const known = fronts.get(tray);
  if (known) return known;
  const front = createCardholderSide(tray);
  fronts.set(tray, front);
  return front;
}

function createCardholderSide(tray: CardTray): CardholderSide {
  const keypad = createKeypad();
  const listeners: ((waits: FrontWait) => void)[] = [];
  let current: FrontWait = 'idle';
  const wait = (waits: FrontWait) => {
    current = waits;
    for (const listener of listeners) listener(waits);
  };
  let onCard: ((card: Card) => void) | undefined;
  let onPin: ((pin: { digits: string } | 'cancelled') => void) | undefined;
  let onCancel: (() => void) | undefined;

  const present = () => (tray.card ? cardNamed(tray.card.name) : undefined);
  tray.watch(() => {
    const card = present();
    if (!card || !onCard) return;
    const taken = onCard;
    onCard = undefined;
    wait('nothing');
    taken(card);
  });
  return {
    get waits() {
      return current;
    },
    get typedDigits() {
      return keypad.digits.length;
    },
    watch: (listener) => void listeners.push(listener),
    card: () =>
      new Promise((resolve) => {
        const card = present();
        if (!card) onCard = resolve;
        wait(card ? 'nothing' : 'card');
        if (card) resolve(card);
      }),
    pin: () =>
      new Promise((resolve) => {
        keypad.open();
        onPin = (pin) => {
          onPin = undefined;
          keypad.close();
          wait('nothing');
          resolve(pin);
        };
        wait('pin');
      }),
    cancelled: () => new Promise((resolve) => (onCancel = resolve)),
    press(keys) {
      const outcome = keypad.press(keys);
      if (outcome === 'entered') onPin?.({ digits: keypad.take() });
      if (outcome !== 'cancelled') return;
      if (onPin) onPin('cancelled');
      else onCancel?.();
    },
    rest() {
      onCard = undefined;
      onPin = undefined;
      onCancel = undefined;
      keypad.close();
      wait('idle');
    },
  };
}
