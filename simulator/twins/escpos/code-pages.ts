import {
  ENCODINGS_BY_PAGE,
  KATAKANA,
  KATAKANA_PAGE,
  LETTERS_BY_PAGE,
  PAGES_NOT_RENDERED,
} from './code-page-letters.ts';
import type { Format } from './format.ts';

/** Whether letters above ASCII can be rendered; undefined for a number that no printer has. */
export function rendersCodePage(number: number): boolean | undefined {
  if (number in LETTERS_BY_PAGE || number in ENCODINGS_BY_PAGE || number === KATAKANA_PAGE) return true;
  return PAGES_NOT_RENDERED.includes(number) ? false : undefined;
}

// In place of ASCII, which is set 0: `ESC R`.
const REPLACED = '#$@[\\]^`{|}~';
const NATIONAL_SETS: Record<number, string> = {
  0: REPLACED,
  1: '#$à°ç§^`éùè¨',
  2: '#$§ÄÖÜ^`äöüß',
  3: '£$@[\\]^`{|}~',
  4: '#$@ÆØÅ^`æøå~',
  5: '#¤ÉÄÖÅÜéäöåü',
  6: '#$@°\\é^ùàòèì',
  7: '₧$@¡Ñ¿^`¨ñ}~',
  8: '#$@[¥]^`{|}~',
  9: '#¤ÉÆØÅÜéæøåü',
  10: '#$ÉÆØÅÜéæøåü',
  11: '#$á¡Ñ¿é`íñóú',
  12: '#$á¡Ñ¿éüíñóú',
};

export const isNationalSet = (number: number): boolean => number in NATIONAL_SETS;

/** Shown for a byte that has no letter. */
const NO_LETTER = '□';

/** Returns the letter of a byte. */
export function letterOf(
  byte: number,
  { codePage, nationalSet }: Pick<Format, 'codePage' | 'nationalSet'>,
): string {
  if (byte >= 0x80) return upperLetters(codePage)[byte - 0x80]!;
  if (byte === 0x7f) return NO_LETTER;
  const letter = String.fromCharCode(byte);
  if (nationalSet === 0) return letter;
  const at = REPLACED.indexOf(letter);
  return at < 0 ? letter : NATIONAL_SETS[nationalSet]![at]!;
}

const decoded = new Map<number, readonly string[]>();

/** The letters of the bytes from 80 on. */
function upperLetters(codePage: number): readonly string[] {
  const known = decoded.get(codePage);
  if (known) return known;
  const letters = decodedPage(codePage);
  decoded.set(codePage, letters);
  return letters;
}

function decodedPage(codePage: number): readonly string[] {
  if (codePage === KATAKANA_PAGE) return KATAKANA;
  const letters = LETTERS_BY_PAGE[codePage];
  if (letters !== undefined) return [...letters];
  const encoding = ENCODINGS_BY_PAGE[codePage];
  const bytes = Array.from({ length: 0x80 }, (_, index) => Uint8Array.of(0x80 + index));
  if (encoding === undefined) return bytes.map(() => NO_LETTER);
  const decoder = new TextDecoder(encoding);
  // Neither control letters nor those that each program has for itself.
  const isLetter = (letter: string) => letter >= '\u00a0' && !/[\ue000-\uf8ff\ufffd]/.test(letter);
  return bytes.map((byte) => decoder.decode(byte)).map((letter) => (isLetter(letter) ? letter : NO_LETTER));
}
