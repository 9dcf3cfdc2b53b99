/** The two ways in which a chip card meets a reader (EMV 4.4 Book 1; EMV Contactless Book D). */
export type CardTechnology = 'Contact' | 'Contactless';

/** A powered card that answers commands. */
export interface CardConnection {
  readonly technology: CardTechnology;
  /**
   * Sends a command APDU and returns the whole response APDU, at least the two status bytes.
   * T=0 procedure (61xx, 6Cxx) is left to the caller (agent/emv/apdu.ts).
   * @throws CardGone when the card was taken away or does not answer; Fault `reader` when the reader fails.
   */
  transceive(command: Uint8Array): Promise<Uint8Array>;
  /**
   * Calls back once when the card is taken out, or its reader unplugged, while nobody commands it. A reader that
   * tells nothing of the kind has no such member: then the next command finds out.
   */
  onRemoved?(listener: () => void): void;
  /** Powers the card off. Idempotent, never throws. */
  release(): Promise<void>;
}

/** The card left the field or the slot, or stopped answering. An outcome of handling cards, not a fault of ours. */
export class CardGone extends Error {
  constructor(message: string = 'the card is gone') {
    super(message);
    this.name = 'CardGone';
  }
}

/** A dumb reader: it moves APDUs and knows nothing of payments. The EMV kernel stands above it. */
export interface CardSlot {
  readonly name: string;
  /** Waits for a card and powers it; undefined when `signal` is aborted first. @throws Fault `reader`. */
  waitForCard(signal: AbortSignal): Promise<CardConnection | undefined>;
  close(): Promise<void>;
}
