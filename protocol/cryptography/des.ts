import { createCipheriv, createDecipheriv } from 'node:crypto';
import { concat } from '../emv/tlv.ts';
import { pad, xor, type Padding } from './blocks.ts';

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

function run(cipher: ReturnType<typeof createCipheriv>, data: Uint8Array): Uint8Array<ArrayBuffer> {
  cipher.setAutoPadding(false);
  return concat(cipher.update(data), cipher.final());
}
