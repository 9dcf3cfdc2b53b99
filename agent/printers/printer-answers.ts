import type { FrameParser } from '../readers/frame-channel.ts';

/**
 * What an ESC/POS printer sends: the answer to `DLE EOT`, which comes at once; the answer to `GS r`, which comes once the
 * printer is that far; and the four bytes that it sends by itself at a change, where another program asked for them.
 */
export type PrinterAnswer = { kind: 'atOnce' | 'inTurn'; bits: number } | { kind: 'change' };

// Bytes of an answer are told apart by their fixed bits.
/** Whether a byte is the answer to `DLE EOT`. */
export const isAtOnce = (byte: number) => (byte & 0x93) === 0x12;
const isInTurn = (byte: number) => (byte & 0x90) === 0x00;
const isFirstOfChange = (byte: number) => (byte & 0x93) === 0x10;
const BYTES_AFTER_FIRST = 3;
/** The first bytes of answers that are longer, which nobody asked for; they end with 00. */
const BLOCKS = [0x35, 0x37, 0x3b, 0x3d, 0x5f];

/** Creates a parser of what a printer sends. It passes over what is no answer, such as XON and XOFF. */
export function createAnswerParser(): FrameParser<PrinterAnswer> {
  let ofChange = 0;
  let isInBlock = false;

  const read = (byte: number): PrinterAnswer | undefined => {
    if (isInBlock) {
      isInBlock = byte !== 0;
      return undefined;
    }
    // An answer at once may come between the bytes of a change.
    if (isAtOnce(byte)) return { kind: 'atOnce', bits: byte };
    if (ofChange > 0 && isInTurn(byte)) {
      ofChange -= 1;
      return ofChange === 0 ? { kind: 'change' } : undefined;
    }
    ofChange = 0;
    if (BLOCKS.includes(byte)) isInBlock = true;
    else if (isFirstOfChange(byte)) ofChange = BYTES_AFTER_FIRST;
    else if (isInTurn(byte)) return { kind: 'inTurn', bits: byte };
    return undefined;
  };
  return { push: (bytes) => Array.from(bytes, read).filter((answer) => answer !== undefined) };
}
