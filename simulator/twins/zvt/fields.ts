import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';

/** How text leaves the terminal (PA00P015, ZVT character sets): its own code page, or what was agreed upon. */
export type CharacterSet = 'cp437' | 'latin1' | 'utf8';

/** Tag 14: the character sets that this terminal has, by their number. */
export const CHARACTER_SETS: Record<number, CharacterSet> = { 0x01: 'latin1', 0xfe: 'utf8', 0xff: 'cp437' };

/** What holds while nothing is agreed upon. */
export const DEFAULT_SET = 0xff;

/** The letters of code page 437 that receipts in German, English and French are made of. */
const CODE_PAGE: Record<string, number> = {
  Ä: 0x8e,
  Ö: 0x99,
  Ü: 0x9a,
  ä: 0x84,
  ö: 0x94,
  ü: 0x81,
  ß: 0xe1,
  à: 0x85,
  ç: 0x87,
  è: 0x8a,
  é: 0x82,
  ê: 0x88,
  '£': 0x9c,
};

/** Text as the terminal sends it. What a character set does not have becomes a question mark. */
export function encodeText(text: string, set: CharacterSet = 'cp437'): Uint8Array {
  if (set === 'utf8') return new TextEncoder().encode(text);
  const codeOf = (letter: string): number => {
    const code = letter.codePointAt(0)!;
    if (code < 0x80) return code;
    if (set === 'latin1') return code <= 0xff ? code : 0x3f;
    return CODE_PAGE[letter] ?? 0x3f;
  };
  return Uint8Array.from([...text].map(codeOf));
}

// Fields of the terminal's messages (PA00P015, summary of utilised BMPs): a number, and a value of a fixed length, of a
// length in two (LLVAR) or three (LLLVAR) digits that each lie in the low half of a byte Fx, or in TLV.

/** Fields that a cash register sends, by the length of their values. */
const FIXED: Record<number, number[]> = {
  1: [0x01, 0x02, 0x03, 0x05, 0x19, 0x8a, 0x8c, 0xe0, 0xe9, 0xea, 0xf0, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd],
  2: [0x0d, 0x0e, 0x17, 0x3a, 0x49, 0x87],
  3: [0x0b, 0x0c, 0x37, 0x3d, 0x88, 0xaa],
  4: [0x29],
  5: [0xba],
  6: [0x04],
  8: [0x3b, 0xeb],
};
const TWO_DIGITS = [
  0x22, 0x23, 0x2d, 0xd1, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6,
  0xf7, 0xf8,
];
const THREE_DIGITS = [0x24, 0x2e, 0x3c];
const CONTAINER = 0x06;

const FIXED_LENGTHS = new Map(
  Object.entries(FIXED).flatMap(([length, numbers]) =>
    numbers.map((number) => [number, Number(length)] as const),
  ),
);

export type Fields = ReadonlyMap<number, Uint8Array>;

/** The fields of a command, up to the first that is cut off or that the terminal does not know. */
export function readFields(data: Uint8Array): Fields {
  const fields = new Map<number, Uint8Array>();
  let rest = data;
  while (rest.length > 0) {
    const [number, ...after] = rest;
    const extent = extentOf(number!, Uint8Array.from(after));
    if (!extent || extent.head + extent.length > after.length) break;
    const value = Uint8Array.from(after.slice(extent.head, extent.head + extent.length));
    fields.set(number!, value);
    rest = rest.slice(1 + extent.head + extent.length);
  }
  return fields;
}

function extentOf(number: number, after: Uint8Array): { head: number; length: number } | undefined {
  const fixed = FIXED_LENGTHS.get(number);
  if (fixed !== undefined) return { head: 0, length: fixed };
  if (number === CONTAINER) return containerExtent(after);
  const head = TWO_DIGITS.includes(number) ? 2 : THREE_DIGITS.includes(number) ? 3 : 0;
  if (head === 0 || after.length < head) return undefined;
  const digits = Array.from(after.slice(0, head), (byte) => byte % 16);
  return digits.some((digit) => digit > 9) ? undefined : { head, length: Number(digits.join('')) };
}

/** TLV: one byte up to 7F, or 81 and one byte, or 82 and two. */
function containerExtent([first = 0x80, second = 0, third = 0]: Uint8Array):
  { head: number; length: number } | undefined {
  if (first < 0x80) return { head: 1, length: first };
  if (first === 0x81) return { head: 2, length: second };
  return first === 0x82 ? { head: 3, length: second * 256 + third } : undefined;
}

/** A number in packed digits, or undefined when they are none. */
export function packedNumber(value: Uint8Array | undefined): number | undefined {
  const digits = value ? toHex(value) : '';
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** A number, or a text of digits, as packed digits of so many bytes. */
export function packed(value: number | string, bytes: number): Uint8Array<ArrayBuffer> {
  return fromHex(`${value}`.padStart(bytes * 2, '0'));
}

/** A field of fixed length. */
export function fixedField(number: number, value: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(number), value);
}

/** The digits of a length, and the value. */
export function counted(value: Uint8Array, digits: 2 | 3): Uint8Array {
  const length = [...`${value.length}`.padStart(digits, '0')].map((digit) => 0xf0 + Number(digit));
  return concat(Uint8Array.from(length), value);
}

/** A field whose length is in two or three digits before its value. */
export function countedField(number: number, value: Uint8Array, digits: 2 | 3): Uint8Array {
  return concat(Uint8Array.of(number), counted(value, digits));
}

/** Field 06: a TLV container. */
export function containerField(objects: Uint8Array): Uint8Array {
  return encodeTlv('06', objects);
}
