/** Interface between chip card and reader (EMV 4.4 Book 1; EMV Contactless Book D). */
export type CardTechnology = 'Contact' | 'Contactless';

/** A connection to a powered card. */
export interface CardConnection {
  readonly technology: CardTechnology;
  /**
   * Sends a command APDU and returns the whole response APDU, at least the two status bytes.
   * The caller handles 61xx and 6Cxx of T=0 (agent/emv/apdu.ts).
   * @throws CardLostError when the card was removed or does not respond; Fault `reader` when the reader fails.
   */
  transceive(command: Uint8Array): Promise<Uint8Array>;
  /**
   * Sets a listener that is called once when the card is removed or the reader unplugged between commands. Absent if
   * the reader does not report removals; then the next command throws.
   */
  onRemoved?(listener: () => void): void;
  /** Powers the card off. Idempotent, never throws. */
  release(): Promise<void>;
}
