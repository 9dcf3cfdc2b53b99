import { after, type Clock } from '../../protocol/clock.ts';
import type { CardConnection } from '../emv/card-connection.ts';
import type { ReaderEvent } from './reader.ts';

/** The card left the field or the slot, or stopped responding. An expected outcome, so not a Fault. */
export class CardLostError extends Error {
  constructor(message: string = 'the card is gone') {
    super(message);
    this.name = 'CardLostError';
  }
}

/** A reader without an EMV kernel: it only exchanges APDUs with a card. */
export interface CardSlot {
  readonly name: string;
  /** Waits for a card and powers it. Returns undefined when `signal` is aborted first. @throws Fault `reader`. */
  waitForCard(signal: AbortSignal): Promise<CardConnection | undefined>;
  close(): Promise<void>;
}

/** Enough time to take out a card, before the screen asks for it again. */
const NO_CARD_MS = 10_000;

/** Waits for `search`, and emits `card.missing` if it takes longer than 10 s. */
export async function reportMissingCard<T>(
  clock: Clock,
  search: Promise<T>,
  report: (event: ReaderEvent) => void,
): Promise<T> {
  const timer = after(clock, NO_CARD_MS, () => report({ type: 'card.missing' }));
  try {
    return await search;
  } finally {
    timer.cancel();
  }
}
