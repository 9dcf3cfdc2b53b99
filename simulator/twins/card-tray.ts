import type { ChipCard } from '../cards/chip-card.ts';

/** The field or slot of a twin, with at most one card. */
export interface CardTray {
  readonly card: ChipCard | undefined;
  /** Puts a card there, in place of any other. */
  insert(card: ChipCard): void;
  remove(): void;
  /** Called after each change. */
  watch(listener: (card: ChipCard | undefined) => void): void;
}

export function createCardTray(first?: ChipCard): CardTray {
  const listeners: ((card: ChipCard | undefined) => void)[] = [];
  let card = first;
  const change = (next: ChipCard | undefined) => {
    if (card === next) return;
    card = next;
    for (const listener of listeners) listener(card);
  };
  return {
    get card() {
      return card;
    },
    insert: change,
    remove: () => change(undefined),
    watch: (listener) => void listeners.push(listener),
  };
}
