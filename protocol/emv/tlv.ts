import { Fault } from '../failures.ts';
import { fromHex, toHex } from './hex.ts';

/** A BER-TLV data object (EMV 4.4 Book 3 Annex B). */
export interface Tlv {
  /** Upper-case hexadecimal digits, such as `9F26`. */
  tag: string;
  value: Uint8Array;
}

// EMV uses tags of one and two bytes, networks sometimes three (Annex B1).
const TAG_BYTES_MAX = 4;

/**
 * Parses the data objects on the top level of `bytes`. Bytes 00 before, between or after them are padding (Annex B1).
 * @throws Fault `garbage_message` when a tag, length or value is cut off.
 */
export function parseTlv(bytes: Uint8Array): Tlv[] {
  const objects: Tlv[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] === 0) {
      at += 1;
      continue;
    }
    const tagEnd = endOfTag(bytes, at);
    const { length, start } = readLength(bytes, tagEnd);
    if (start + length > bytes.length) throw malformed('a value runs over the end');
    objects.push({ tag: toHex(bytes.subarray(at, tagEnd)), value: bytes.slice(start, start + length) });
    at = start + length;
  }
  return objects;
}

/**
 * Returns the value of the first object with this tag, depth first; undefined when there is none.
 * @throws Fault `garbage_message` as `parseTlv` does.
 */
export function findTlv(bytes: Uint8Array, tag: string): Uint8Array | undefined {
  for (const object of parseTlv(bytes)) {
    if (object.tag === tag) return object.value;
    const inside = isConstructed(object.tag) ? findTlv(object.value, tag) : undefined;
    if (inside) return inside;
  }
  return undefined;
}

/** Encodes a data object with the shortest length field (Annex B2). */
export function encodeTlv(tag: string, value: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat(fromHex(tag), encodeLength(value.length), value);
}

/** Returns whether a tag is constructed: bit 6 of its first byte (Annex B1). */
export function isConstructed(tag: string): boolean {
  return (Number.parseInt(tag.slice(0, 2), 16) & 0x20) !== 0;
}

export function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Returns the end of a tag (Annex B1): all ones in the low five bits mean that more bytes follow, each but the last
 * with its high bit set.
 */
function endOfTag(bytes: Uint8Array, start: number): number {
  let at = start;
  if ((bytes[at++]! & 0x1f) !== 0x1f) return at;
  while (at < bytes.length && at - start < TAG_BYTES_MAX) {
    if ((bytes[at++]! & 0x80) === 0) return at;
  }
  throw malformed('a tag does not end');
}

/** Reads a length (Annex B2): one byte up to 127; else 81 to 84 and as many bytes. */
function readLength(bytes: Uint8Array, at: number): { length: number; start: number } {
  const first = bytes[at];
  if (first === undefined) throw malformed('a length is missing');
  if (first < 0x80) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4 || at + 1 + count > bytes.length)
    throw malformed('a length is not understood');
  const length = bytes.subarray(at + 1, at + 1 + count).reduce((sum, byte) => sum * 256 + byte, 0);
  return { length, start: at + 1 + count };
}

function encodeLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  if (length < 0x100) return Uint8Array.of(0x81, length);
  if (length < 0x10000) return Uint8Array.of(0x82, length >> 8, length & 0xff);
  throw new Fault('internal', `a TLV value of ${length} bytes`);
}

function malformed(why: string): Fault {
  return new Fault('garbage_message', `malformed TLV: ${why}`);
}
