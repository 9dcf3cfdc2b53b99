import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';

/** Length of a bitmap: a number of bytes, a prefix of two (LL) or three (LLL) digits, or a TLV container. */
type Length = number | 'LL' | 'LLL' | 'TLV';

/** Name and length of every bitmap, by number (PA00P015, summary of utilised BMPs). */
const BITMAPS: Record<number, { name: string; length: Length }> = {
  0x01: { name: 'timeout', length: 1 },
  0x02: { name: 'maximum of status informations', length: 1 },
  0x03: { name: 'service byte', length: 1 },
  0x04: { name: 'amount', length: 6 },
  0x05: { name: 'pump number', length: 1 },
  0x06: { name: 'TLV container', length: 'TLV' },
  0x0b: { name: 'trace number', length: 3 },
  0x0c: { name: 'time', length: 3 },
  0x0d: { name: 'date', length: 2 },
  0x0e: { name: 'expiry date', length: 2 },
  0x17: { name: 'card sequence number', length: 2 },
  0x19: { name: 'payment type or status byte', length: 1 },
  0x22: { name: 'card number', length: 'LL' },
  0x23: { name: 'track 2', length: 'LL' },
  0x24: { name: 'track 3', length: 'LLL' },
  0x27: { name: 'result code', length: 1 },
  0x29: { name: 'terminal id', length: 4 },
  0x2a: { name: 'merchant number', length: 15 },
  0x2d: { name: 'track 1', length: 'LL' },
  0x2e: { name: 'synchronous chip data', length: 'LLL' },
  0x37: { name: 'trace number of the original', length: 3 },
  0x3a: { name: 'card verification value', length: 2 },
  0x3b: { name: 'authorisation attribute', length: 8 },
  0x3c: { name: 'additional text', length: 'LLL' },
  0x3d: { name: 'password', length: 3 },
  0x49: { name: 'currency', length: 2 },
  0x4c: { name: 'blocked goods groups', length: 'LL' },
  0x60: { name: 'totals', length: 'LLL' },
  0x87: { name: 'receipt number', length: 2 },
  0x88: { name: 'turnover number', length: 3 },
  0x8a: { name: 'card type', length: 1 },
  0x8b: { name: 'card name', length: 'LL' },
  0x8c: { name: 'card type of the network', length: 1 },
  0x92: { name: 'offline data of a girocard chip', length: 'LLL' },
  0x9a: { name: 'GeldKarte record', length: 'LLL' },
  0xa0: { name: 'result code of the host', length: 1 },
  0xa7: { name: 'chip data', length: 'LL' },
  0xaa: { name: 'date with year', length: 3 },
  0xaf: { name: 'EF_Info', length: 'LLL' },
  0xba: { name: 'authorisation parameter', length: 5 },
  0xf0: { name: 'display duration', length: 1 },
};

/** Values of bitmaps, by bitmap number. */
export type Bitmaps = ReadonlyMap<number, Uint8Array>;

/**
 * Parses the bitmaps of a command. Stops at the first bitmap that is truncated or unknown, since its length is not
 * known, and returns those before it.
 */
export function parseBitmaps(data: Uint8Array): Bitmaps {
  const found = new Map<number, Uint8Array>();
  for (let at = 0; at < data.length;) {
    const number = data[at]!;
    const size = BITMAPS[number] && sizeOf(BITMAPS[number].length, data, at + 1);
    if (!size || size.start + size.length > data.length) break;
    found.set(number, data.slice(size.start, size.start + size.length));
    at = size.start + size.length;
  }
  return found;
}

function sizeOf(length: Length, data: Uint8Array, at: number): { start: number; length: number } | undefined {
  if (typeof length === 'number') return { start: at, length };
  if (length === 'TLV') return tlvSize(data, at);
  // F0 F8 is 08: a digit in each lower half.
  const digits = [...data.subarray(at, at + length.length)].map((byte) => byte & 0x0f);
  if (digits.length < length.length || digits.some((digit) => digit > 9)) return undefined;
  return { start: at + length.length, length: Number(digits.join('')) };
}

function tlvSize(data: Uint8Array, at: number): { start: number; length: number } | undefined {
  const [first, second, third] = data.subarray(at, at + 3);
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: at + 1, length: first };
  if (first === 0x81 && second !== undefined) return { start: at + 2, length: second };
  if (first === 0x82 && second !== undefined && third !== undefined)
    return { start: at + 3, length: second * 256 + third };
  return undefined;
}

/** Encodes a bitmap with its number. @throws Fault `internal` for a number that is not in the table or a value that does not fit it. */
export function encodeBitmap(number: number, value: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = BITMAPS[number]?.length;
  if (length === undefined) throw new Fault('internal', `no ZVT bitmap ${number}`);
  if (typeof length === 'number') {
    if (value.length !== length) throw new Fault('internal', `ZVT bitmap ${number} takes ${length} bytes`);
    return concat(Uint8Array.of(number), value);
  }
  // The container's number and length are those of a TLV object with tag 06.
  if (length === 'TLV') return encodeTlv('06', value);
  const digits = [...String(value.length).padStart(length.length, '0')].map((digit) => 0xf0 | Number(digit));
  return concat(Uint8Array.of(number, ...digits), value);
}

/** Encodes a number as packed BCD in this many bytes, padded with zeros. */
export function bcd(value: number | string, bytes: number): Uint8Array<ArrayBuffer> {
  return fromHex(String(value).padStart(bytes * 2, '0'));
}

/** Decodes packed BCD as a number. Returns undefined when a nibble is not a decimal digit. */
export function bcdToNumber(value: Uint8Array | undefined): number | undefined {
  const digits = value ? toHex(value) : '';
  return /^[0-9]+$/.test(digits) ? Number(digits) : undefined;
}
