import type { CardConnection } from '../emv/card-connection.ts';

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
