import type { TextRun } from './paper.ts';

/** How letters, lines and codes are printed. Instructions change it; `ESC @` sets it back. */
export interface Format {
  font: TextRun['font'];
  /** How often letters are enlarged, 1 to 8. */
  width: number;
  height: number;
  bold: boolean;
  doubleStrike: boolean;
  underline: TextRun['underline'];
  inverse: boolean;
  upsideDown: boolean;
  align: 'left' | 'centre' | 'right';
  /** By the number of `ESC t`. */
  codePage: number;
  /** Letters in place of some of ASCII, by the number of `ESC R`. */
  nationalSet: number;
  /** Dots between letters. */
  spacing: number;
  /** Dots from one line to the next. */
  lineSpacing: number;
  leftMargin: number;
  /** Dots of a line, from the margin on. */
  printWidth: number;
  /** Tab stops in dots; undefined for one at every eighth letter. */
  tabs: readonly number[] | undefined;
  barCode: {
    height: number;
    width: number;
    text: 'none' | 'above' | 'below' | 'both';
    font: TextRun['font'];
  };
  qr: { size: number; level: 'low' | 'medium' | 'quartile' | 'high' };
}

/** The format that a printer begins with, whose lines have so many dots. */
export function firstFormat(dots: number): Format {
  return {
    font: 'A',
    width: 1,
    height: 1,
    bold: false,
    doubleStrike: false,
    underline: 0,
    inverse: false,
    upsideDown: false,
    align: 'left',
    codePage: 0,
    nationalSet: 0,
    spacing: 0,
    lineSpacing: 30,
    leftMargin: 0,
    printWidth: dots,
    tabs: undefined,
    barCode: { height: 162, width: 3, text: 'none', font: 'A' },
    qr: { size: 3, level: 'low' },
  };
}
