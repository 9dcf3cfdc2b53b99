import { CardLostError, type CardSlot } from '../../agent/readers/card-slot.ts';
import type { ChipCard } from '../../simulator/cards/chip-card.ts';
import type { CardConnection, CardTechnology } from '../../agent/emv/card-connection.ts';

/** A card slot without a device. */
interface ChipSlot extends CardSlot {
  insert(card: ChipCard): void;
  remove(): void;
  /** Number of powered cards. */
  readonly powered: number;
}

export function chipSlot(technology: CardTechnology, first?: ChipCard): ChipSlot {
  let card = first;
  let powered = 0;
  let arrived: (() => void) | undefined;

  const connect = (present: ChipCard): CardConnection => {
    const chip = present.powerOn(technology);
    let released = false;
    powered += 1;
    return {
      technology,
      async transceive(command) {
        const response = card === present && !released ? await chip.transceive(command) : undefined;
        if (!response || card !== present) throw new CardLostError();
        return response;
      },
      async release() {
        if (!released) powered -= 1;
        released = true;
      },
    };
  };
  return {
    name: 'chip slot',
    get powered() {
      return powered;
    },
    async waitForCard(signal) {
      while (!card && !signal.aborted) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      return signal.aborted || !card ? undefined : connect(card);
    },
    insert(next) {
      card = next;
      arrived?.();
    },
    remove: () => void (card = undefined),
    async close() {},
  };
}
