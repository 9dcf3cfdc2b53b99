// What a terminal sends to an ESC/POS printer besides text, and what the bits of its answers say.

export const INITIALISE = [0x1b, 0x40];
/** Feeds what is printed past the cutter, then cuts and leaves a bit at which the paper hangs. */
export const CUT = [0x1d, 0x56, 0x42, 0x00];
/** Asks for the state of the paper in turn with the print: the answer says that all before it has been printed. */
export const ASK_IN_TURN = Uint8Array.of(0x1d, 0x72, 0x01);
/** Asks how the printer is, with a number behind it: `DLE EOT`, which is answered at once. */
export const ASK_AT_ONCE = [0x10, 0x04];
/** Tells the printer to go on after an error of the cutter or the mechanism: `DLE ENQ 1`. */
export const RECOVER = [0x10, 0x05, 0x01];

/** Bits of the answers to `DLE EOT` 1 to 4: how the printer is, why it is offline, which error it has, and its paper. */
export const OFFLINE = 0x08;
export const CAUSE = { coverOpen: 0x04, fedByButton: 0x08, paperOut: 0x20, error: 0x40 };
export const ERROR = { mechanism: 0x04, cutter: 0x08, unrecoverable: 0x20, hot: 0x40 };
export const PAPER = { low: 0x0c, out: 0x60 };
