/** Dots of a line of text with the spacing that a printer begins with. A roll is counted in such lines. */
export const LINE_DOTS = 30;

/** A black and white picture: rows from the top, eight dots in a byte, the leftmost in its highest bit, 1 for black. */
export interface Bitmap {
  width: number;
  height: number;
  /** `strideOf(width)` bytes for each row. */
  bits: Uint8Array;
}

/** Returns the bytes of a row. */
export function strideOf(width: number): number {
  return Math.ceil(width / 8);
}

/** Letters beside each other that look the same. */
export interface TextRun {
  /** Dots from the left edge of what can be printed. */
  x: number;
  text: string;
  font: 'A' | 'B';
  /** How often it is enlarged, 1 to 8. */
  width: number;
  height: number;
  bold: boolean;
  /** Thickness in dots. */
  underline: 0 | 1 | 2;
  /** White letters on black. */
  inverse: boolean;
  upsideDown: boolean;
  /** Dots between letters, at single width. */
  spacing: number;
}

/** Something on the paper, with its distance from the top in dots. */
export type PaperElement = { y: number; height: number } & (
  | { kind: 'text'; runs: readonly TextRun[] }
  | {
      kind: 'picture';
      x: number;
      /** Its width on the paper, in dots; `height` is its height there. */
      width: number;
      bitmap: Bitmap;
      /** What it says, such as `QR: https://example.com`. */
      label: string;
    }
);

/** What ended a receipt: a cut, a person who tore it off, a second without data, or the end of the connection. */
export type ReceiptEnd = 'full cut' | 'partial cut' | 'torn off' | 'pause' | 'disconnected';

/** A piece of paper that a customer could be given. */
export interface Receipt {
  /** Counts from 1. */
  number: number;
  atMs: number;
  end: ReceiptEnd;
  /** Dots that the printer can use of a line. */
  width: number;
  /** Dots from its top to its bottom. */
  height: number;
  elements: readonly PaperElement[];
}

/** Dots of a letter of each font. */
export const LETTER_DOTS = { A: { width: 12, height: 24 }, B: { width: 9, height: 17 } } as const;

/** Returns the dots from the beginning of one letter to the next. */
export function letterStep({ font, width, spacing }: Pick<TextRun, 'font' | 'width' | 'spacing'>): number {
  return (LETTER_DOTS[font].width + spacing) * width;
}
