/**
 * Text for a screen of characters: in columns, not letters, and without anything that a terminal would obey. Names
 * and displays come from whoever registered them.
 */

// ISO/IEC 6429: what a terminal obeys begins with one of these. A bidirectional mark would move the rest of a row.
const OBEYED = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const NO_COLUMN = /^[\p{M}\p{Cf}]$/u;
const TWO_COLUMNS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]$/u;

export function sanitizeText(text: string): string {
  return text.replace(OBEYED, '·');
}

function columnsOfLetter(letter: string): number {
  if (letter <= '~') return 1;
  return NO_COLUMN.test(letter) ? 0 : TWO_COLUMNS.test(letter) ? 2 : 1;
}

export function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += columnsOfLetter(letter);
  return columns;
}

/** Exactly so many columns: cut with `…`, or filled up with blanks. */
export function fitToWidth(text: string, columns: number): string {
  const taken = columnsOf(text);
  if (taken <= columns) return text + ' '.repeat(columns - taken);
  let kept = '';
  let left = columns - 1;
  for (const letter of text) {
    left -= columnsOfLetter(letter);
    if (left < 0) break;
    kept += letter;
  }
  return columns < 1 ? '' : `${kept}…${' '.repeat(Math.max(0, columns - 1 - columnsOf(kept)))}`;
}
