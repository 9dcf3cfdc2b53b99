import { createCipheriv, createDecipheriv } from 'node:crypto';
import { concat } from '../emv/tlv.ts';
import { Fault } from '../failures.ts';

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

const BLOCK_BYTES = 8;

/**
 * Encrypts whole blocks with TDES in ECB mode without padding (ANSI X3.92, ISO/IEC 18033-3). A key of 8 bytes is
 * single DES, one of 16 is K1 K2 K1, one of 24 is K1 K2 K3.
 */
export function tdesEncrypt(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return run(createCipheriv('des-ede3-ecb', tripled(key), null), data);
}

export function tdesDecrypt(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return run(createDecipheriv('des-ede3-ecb', tripled(key), null), data);
}

/** Encrypts whole blocks with TDES in CBC mode without padding; the IV is 0 by default. */
export function tdesCbcEncrypt(key: Uint8Array, data: Uint8Array, iv: Uint8Array = new Uint8Array(8)) {
  return run(createCipheriv('des-ede3-cbc', tripled(key), iv), data);
}

export function tdesCbcDecrypt(key: Uint8Array, data: Uint8Array, iv: Uint8Array = new Uint8Array(8)) {
  return run(createDecipheriv('des-ede3-cbc', tripled(key), iv), data);
}

/**
 * Computes the MAC of chip cards: single DES over the chain, TDES for the last block (ISO/IEC 9797-1 MAC algorithm 3;
 * EMV 4.4 Book 2 Annex A1.2.1). 8 bytes.
 */
export function macAlgorithm3(
  key16: Uint8Array,
  data: Uint8Array,
  padding: Padding,
): Uint8Array<ArrayBuffer> {
  const padded = pad(data, padding, BLOCK_BYTES);
  const left = key16.subarray(0, BLOCK_BYTES);
  const before = padded.subarray(0, -BLOCK_BYTES);
  const chained =
    before.length === 0
      ? new Uint8Array(BLOCK_BYTES)
      : tdesCbcEncrypt(left, before).subarray(before.length - BLOCK_BYTES);
  return tdesEncrypt(key16, xor(chained, padded.subarray(-BLOCK_BYTES)));
}

/** Sets the low bit of each byte for odd parity, as in DES keys. */
export function adjustParity(key: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(key, (byte) => {
    const seven = byte & 0xfe;
    let ones = 0;
    for (let rest = seven; rest > 0; rest >>= 1) ones += rest & 1;
    return seven | (ones % 2 === 0 ? 1 : 0);
  });
}

/** Expands a key to 24 bytes. OpenSSL's default provider has no single DES; K K K is the same. */
function tripled(key: Uint8Array): Uint8Array {
  if (key.length === BLOCK_BYTES) return concat(key, key, key);
  return key.length === 2 * BLOCK_BYTES ? concat(key, key.subarray(0, BLOCK_BYTES)) : key;
}

/** Encrypts whole blocks with AES-128 in ECB mode without padding (FIPS 197). */
export function aesEncrypt(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return run(createCipheriv('aes-128-ecb', key, null), data);
}

export function aesDecrypt(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return run(createDecipheriv('aes-128-ecb', key, null), data);
}

/** Encrypts whole blocks with AES-128 in CBC mode with a zero IV, without padding. */
export function aesCbcEncrypt(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return run(createCipheriv('aes-128-cbc', key, new Uint8Array(16)), data);
}

export function aesCbcDecrypt(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return run(createDecipheriv('aes-128-cbc', key, new Uint8Array(16)), data);
}

function run(cipher: ReturnType<typeof createCipheriv>, data: Uint8Array): Uint8Array<ArrayBuffer> {
  cipher.setAutoPadding(false);
  return concat(cipher.update(data), cipher.final());
}
