import type { CardTechnology } from '../../agent/emv/card-connection.ts';

/** A simulated chip card, for a twin's field or slot. Created from a profile (chip-card-registry.ts). */
export interface ChipCard {
  /** The profile's name, such as `visa-contactless`. */
  readonly name: string;
  readonly technologies: readonly CardTechnology[];
  /** Contact: the answer to reset (ISO/IEC 7816-3). */
  readonly atr: Uint8Array;
  /** Contactless type A (ISO/IEC 14443-3 and -4). */
  readonly atqa: Uint8Array;
  readonly sak: number;
  readonly uid: Uint8Array;
  readonly ats: Uint8Array;
  /** Starts a session with nothing selected. The ATC and the PIN tries persist between sessions. */
  powerOn(technology: CardTechnology): ChipSession;
}

export interface ChipSession {
  /**
   * Resolves with the response APDU (data, SW1, SW2) to a command APDU; undefined when the card no longer responds.
   */
  transceive(command: Uint8Array): Promise<Uint8Array | undefined>;
}
