import iconv from 'iconv-lite';
import type { Format } from './format.ts';

/** The encodings of iconv-lite, by the number of `ESC t`. */
const ENCODINGS: Readonly<Record<number, string>> = {
  0: 'cp437',
  2: 'cp850',
  3: 'cp860',
  4: 'cp863',
  5: 'cp865',
  13: 'cp857',
  14: 'cp737',
  15: 'iso-8859-7',
  16: 'windows-1252',
  17: 'cp866',
  18: 'cp852',
  19: 'cp858',
  21: 'windows-874',
  32: 'cp720',
  33: 'cp775',
  34: 'cp855',
  35: 'cp861',
  36: 'cp862',
  37: 'cp864',
  38: 'cp869',
  39: 'iso-8859-2',
  40: 'iso-8859-15',
  44: 'cp1125',
  45: 'windows-1250',
  46: 'windows-1251',
  47: 'windows-1253',
  48: 'windows-1254',
  49: 'windows-1255',
  50: 'windows-1256',
  51: 'windows-1257',
  52: 'windows-1258',
  53: 'rk1048',
};

/** Code pages of printers that iconv-lite does not have: CP851, CP853, CP1098, CP774 and CP772. */
const PAGES_NOT_RENDERED: readonly number[] = [11, 12, 41, 42, 43];

/** Letters that a page was given after its encoding was written down: CP857 has the euro sign at a place that was free. */
const ADDED_LETTERS: Readonly<Record<number, Readonly<Record<number, string>>>> = { 13: { 0xd5: '€' } };

/** The page of Japanese printers, which no encoding has: lines, the half-width letters of JIS X 0201, signs. */
const KATAKANA_PAGE = 1;
const KATAKANA = [
  ...'▁▂▃▄▅▆▇█▏▎▍▌▋▊▉┼┴┬┤├▔─│▕┌┐└┘╭╮╰╯\u00a0',
  ...Array.from({ length: 63 }, (_, index) => String.fromCharCode(0xff61 + index)),
  ...'═╞╪╡◢◣◥◤♠♥♦♣●○╱╲╳円年月日時分秒〒市区町村人▒\u00a0',
];

/** Whether letters above ASCII can be rendered; undefined for a number that no printer has. */
export function rendersCodePage(number: number): boolean | undefined {
  if (number in ENCODINGS || number === KATAKANA_PAGE) return true;
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
  const encoding = ENCODINGS[codePage];
  const bytes = Array.from({ length: 0x80 }, (_, index) => Uint8Array.of(0x80 + index));
  if (encoding === undefined) return bytes.map(() => NO_LETTER);
  // Neither control letters nor those that each program has for itself.
  const isLetter = (letter: string) => letter >= '\u00a0' && !/[\ue000-\uf8ff\ufffd]/.test(letter);
  return bytes
    .map((byte) => ADDED_LETTERS[codePage]?.[byte[0]!] ?? iconv.decode(byte, encoding))
    .map((letter) => (isLetter(letter) ? letter : NO_LETTER));
}
