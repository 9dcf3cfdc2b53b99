import type { ChipCard } from '../cards/chip-card.ts';

/** Where a card lies at a twin: its field or its slot. */
export interface CardTray {
  readonly card: ChipCard | undefined;
  /** Puts a card there in place of the one that may be there. */
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
