import iconv from 'iconv-lite';
import { RECEIPT_COLUMNS } from '../lifecycle/receipt.ts';
import { CUT, INITIALISE } from './printer-instructions.ts';
import { CODE_PAGE_NUMBERS, type PrinterCodePage } from './printer-code-pages.ts';

/** The paper of a printer, and the letters that it prints. */
export interface PrinterPaper {
  /** Letters of a line. */
  columns: number;
  codePage: PrinterCodePage;
}

/** A printer for Chinese or Japanese would take two bytes above ASCII for one letter. */
const LETTERS_OF_ONE_BYTE = [0x1c, 0x2e];
const SELECT_CODE_PAGE = [0x1b, 0x74];
const NEW_LINE = 0x0a;

/** Cuts off what has come out of a copy that was broken off. */
export const CUT_OFF = Uint8Array.from([...INITIALISE, ...CUT]);

/** Returns what prints a text, without the cut. A text of a narrower paper is in the middle. */
export function receiptBytes(text: string, { columns, codePage }: PrinterPaper): Uint8Array {
  const lines = text.split(/\r\n|[\r\n]/);
  const widest = Math.max(RECEIPT_COLUMNS, ...lines.map((line) => [...line].length));
  const margin = ' '.repeat(Math.max(0, Math.floor((columns - widest) / 2)));
  const encoded = lines
    .map((line) => (line.trim() === '' ? '' : margin + line.trimEnd()))
    .map((line) => encodeLine(line, codePage))
    .flatMap((letters) => inRows(letters, columns));
  return Uint8Array.from([
    ...INITIALISE,
    ...LETTERS_OF_ONE_BYTE,
    ...SELECT_CODE_PAGE,
    CODE_PAGE_NUMBERS[codePage],
    ...encoded.flatMap((row) => [...row, NEW_LINE]),
  ]);
}

/** Breaks a line that is longer than the paper is wide: a printer would do it too, but some cut it off. */
function inRows(letters: readonly number[], columns: number): number[][] {
  if (letters.length <= columns) return [[...letters]];
  return [letters.slice(0, columns), ...inRows(letters.slice(columns), columns)];
}

const NO_LETTER = '?'.charCodeAt(0);

/**
 * Encodes a line. A letter that the page does not have is printed without its accents, or as a question mark; control
 * letters, which a printer would take for instructions, are left out.
 */
function encodeLine(line: string, page: PrinterCodePage): number[] {
  return [...line.normalize('NFC')].filter(isPrinted).flatMap((letter) => encodeLetter(letter, page));
}

const isPrinted = (letter: string) => !/\p{Control}/u.test(letter);

function encodeLetter(letter: string, page: PrinterCodePage): number[] {
  const known = bytesOf(letter, page);
  if (known) return known;
  const bare = letter.normalize('NFKD').replaceAll(/\p{Mark}/gu, '');
  return [...bare].flatMap((part) => bytesOf(part, page) ?? NO_LETTER);
}

/** The bytes of a letter; undefined when the page does not have it, or it would be an instruction. */
function bytesOf(letter: string, page: PrinterCodePage): number[] | undefined {
  const bytes = [...iconv.encode(letter, page)];
  const isKnown = letter === '?' || !bytes.includes(NO_LETTER);
  return isKnown && bytes.every((byte) => byte >= 0x20 && byte !== 0x7f) ? bytes : undefined;
}
