import { codabar } from 'jsbarcode/bin/barcodes/codabar/index.js';
import { CODE128A, CODE128B, CODE128C } from 'jsbarcode/bin/barcodes/CODE128/index.js';
import { CODE39 } from 'jsbarcode/bin/barcodes/CODE39/index.js';
import { CODE93 } from 'jsbarcode/bin/barcodes/CODE93/index.js';
import { EAN13, EAN8, UPC, UPCE } from 'jsbarcode/bin/barcodes/EAN_UPC/index.js';
import { ITF } from 'jsbarcode/bin/barcodes/ITF/index.js';

/** A bar code: its modules, `1` for black, and its text with the check digit. Undefined for data whose check digit is wrong. */
type Encoded = { modules: string; text: string } | undefined;

/** A kind of bar codes. */
interface BarCodeKind {
  name: string;
  data: RegExp;
  /** What data it takes, in words. */
  rule: string;
  encode(data: string): Encoded;
}

/** Encodes with a class of jsbarcode, which adds the check digit, or checks it where it is there. */
function encodeAs(Kind: BarCodeEncoderClass, data: string): Encoded {
  const encoder = new Kind(data, { flat: true });
  return encoder.valid() ? { modules: encoder.encode().data, text: encoder.data } : undefined;
}

/** UPC-E by its six digits, by eight with number system and check digit, or by those of UPC-A that it stands for. */
function encodeUpcE(data: string): Encoded {
  const short = data.length >= 11 ? shortened(data) : data;
  if (short === undefined) return undefined;
  // The library takes neither a number system without its check digit nor six digits with one.
  const wholes = short.length === 8 ? [short] : CHECK_DIGITS.map((check) => short.padStart(7, '0') + check);
  return wholes.map((whole) => encodeAs(UPCE, whole)).find((encoded) => encoded !== undefined);
}

const CHECK_DIGITS = [...'0123456789'];

/** The eight digits of UPC-E that stand for those of UPC-A; undefined where there are none. */
function shortened(digits: string): string | undefined {
  const whole = encodeAs(UPC, digits)?.text;
  if (whole === undefined) return undefined;
  const [maker, product] = [whole.slice(1, 6), whole.slice(6, 11)];
  const sixes = CHECK_DIGITS.map((last) => {
    const ofMaker = last <= '2' ? 2 : last === '3' ? 3 : last === '4' ? 4 : 5;
    return maker.slice(0, ofMaker) + (ofMaker === 5 ? '' : product.slice(ofMaker === 2 ? 2 : ofMaker)) + last;
  });
  return sixes.map((six) => whole[0] + six + whole[11]).find((short) => new UPCE(short, {}).upcA === whole);
}

const CODE128_BY_SET = { A: CODE128A, B: CODE128B, C: CODE128C };
/** The letters that stand for a change of set and for functions in the data of jsbarcode. */
const CODE128_SIGNS: Record<string, string> = {
  A: '\u00ce',
  B: '\u00cd',
  C: '\u00cc',
  S: '\u00cb',
  1: '\u00cf',
  2: '\u00ca',
  3: '\u00c9',
};

/** Encodes data in the sets that it names: `{A`, `{B`, `{C`, and `{1` to `{3` for functions, `{S` to shift, `{{` for `{`. */
function encodeCode128(data: string): Encoded {
  const first = setOf(data[1]);
  if (first === undefined) return undefined;
  let set = first;
  let isShifted = false;
  let text = '';
  let signs = '';
  for (let at = 2; at < data.length; at += 1) {
    const named = data[at] === '{' ? (data[(at += 1)] ?? '') : undefined;
    if (named !== undefined && named !== '{') {
      const sign = CODE128_SIGNS[named];
      // Set C has neither the second and third function nor a shift.
      if (sign === undefined || (set === 'C' && '23S'.includes(named))) return undefined;
      if (named !== set) signs += sign;
      set = setOf(named) ?? set;
      isShifted = named === 'S';
      continue;
    }
    const letter = letterOfCode128(data.charCodeAt(at), isShifted ? (set === 'A' ? 'B' : 'A') : set);
    if (letter === undefined) return undefined;
    isShifted = false;
    signs += letter;
    text += letter;
  }
  return { text, modules: new CODE128_BY_SET[first](signs, {}).encode().data };
}

const setOf = (name: string | undefined) => (['A', 'B', 'C'] as const).find((set) => set === name);

/** Set A has control letters and capitals, set B all that is printed, and set C pairs of digits, sent as a number. */
function letterOfCode128(byte: number, set: 'A' | 'B' | 'C'): string | undefined {
  if (set === 'C') return byte > 99 ? undefined : String(byte).padStart(2, '0');
  const isOfSet = set === 'A' ? byte < 0x60 : byte >= 0x20 && byte < 0x80;
  return isOfSet ? String.fromCharCode(byte) : undefined;
}

const LETTERS_RULE = 'takes digits, capital letters and the signs space $ % + - . /';

/** Kinds of bar codes by the number of `GS k` from 65 on; 0 to 6 are the first seven. */
export const BAR_CODES: readonly BarCodeKind[] = [
  {
    name: 'UPC-A',
    data: /^\d{11,12}$/,
    rule: 'takes 11 or 12 digits',
    encode: (data) => encodeAs(UPC, data),
  },
  {
    name: 'UPC-E',
    data: /^(\d{6}|[01]\d{6,7}|[01]\d{10,11})$/,
    rule: 'takes 6, 7, 8, 11 or 12 digits',
    encode: encodeUpcE,
  },
  {
    name: 'EAN-13',
    data: /^\d{12,13}$/,
    rule: 'takes 12 or 13 digits',
    encode: (data) => encodeAs(EAN13, data),
  },
  {
    name: 'EAN-8',
    data: /^\d{7,8}$/,
    rule: 'takes 7 or 8 digits',
    encode: (data) => encodeAs(EAN8, data),
  },
  {
    name: 'CODE39',
    data: /^\*?[0-9A-Z $%+\-./]+\*?$/,
    rule: LETTERS_RULE,
    encode: (data) => encodeAs(CODE39, data.replaceAll('*', '')),
  },
  {
    name: 'ITF',
    data: /^(\d\d)+$/,
    rule: 'takes an even number of digits',
    encode: (data) => encodeAs(ITF, data),
  },
  {
    name: 'CODABAR',
    data: /^[A-Da-d][0-9$+\-./:]+[A-Da-d]$/,
    rule: 'takes digits and the signs $ + - . / : between two letters from A to D',
    encode: (data) => encodeAs(codabar, data),
  },
  {
    name: 'CODE93',
    data: /^[0-9A-Z $%+\-./]+$/,
    rule: LETTERS_RULE,
    encode: (data) => encodeAs(CODE93, data),
  },
  {
    name: 'CODE128',
    data: /^\{[ABC][^]+$/,
    rule: 'takes data that begins with {A, {B or {C',
    encode: encodeCode128,
  },
];
