import type { CardTechnology } from '../../agent/emv/card-connection.ts';

/** The chip of a simulated card: what lies in a twin's field or slot. Made from a profile (card-box.ts). */
export interface ChipCard {
  /** The profile's name, such as `visa-contactless`. */
  readonly name: string;
  readonly technologies: readonly CardTechnology[];
  /** Contact: the answer to reset (ISO/IEC 7816-3), T=0 or T=1 as it says. */
  readonly atr: Uint8Array;
  /** Contactless type A (ISO/IEC 14443-3 and -4). */
  readonly atqa: Uint8Array;
  readonly sak: number;
  readonly uid: Uint8Array;
  readonly ats: Uint8Array;
  /** Powers the chip up: nothing is selected. A card keeps its ATC and PIN tries from one session to the next. */
  powerOn(technology: CardTechnology): ChipSession;
}

export interface ChipSession {
  /** Answers a command APDU with a response APDU (data, SW1, SW2); undefined when the card does not answer any more. */
  transceive(command: Uint8Array): Promise<Uint8Array | undefined>;
}
