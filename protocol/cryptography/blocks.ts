import { Fault } from '../failures.ts';
import { concat } from '../emv/tlv.ts';

/** Padding with 00, or with 80 and then 00 (ISO/IEC 9797-1, methods 1 and 2). */
export type Padding = 'zeros' | '80';

/** Pads data to whole blocks. Method 1 adds nothing to whole blocks; method 2 always adds at least 80. */
export function pad(data: Uint8Array, padding: Padding, blockBytes: number): Uint8Array<ArrayBuffer> {
  const marked = padding === '80' ? concat(data, Uint8Array.of(0x80)) : data;
  return concat(marked, new Uint8Array((blockBytes - (marked.length % blockBytes)) % blockBytes));
}

/** Removes padding of method 2. @throws Fault `garbage_message` when there is none. */
export function unpad(data: Uint8Array): Uint8Array {
  const mark = data.findLastIndex((byte) => byte !== 0);
  if (mark < 0 || data[mark] !== 0x80) throw new Fault('garbage_message', 'the padding is wrong');
  return data.subarray(0, mark);
}

/** Returns the XOR of two byte strings, as long as the shorter one. */
export function xor(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: Math.min(a.length, b.length) }, (_, at) => a[at]! ^ b[at]!);
}
