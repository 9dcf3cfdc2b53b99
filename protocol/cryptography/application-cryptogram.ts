import { concat } from '../emv/tlv.ts';
import { xor, type Padding } from './blocks.ts';
import { macAlgorithm3, tdesEncrypt } from './des.ts';

/**
 * Computes an ARQC, TC or AAC: the MAC over the transaction data of card and terminal (EMV 4.4 Book 2 §8.1). 8 bytes.
 */
export function applicationCryptogram(
  key16: Uint8Array,
  data: Uint8Array,
  padding: Padding,
): Uint8Array<ArrayBuffer> {
  return macAlgorithm3(key16, data, padding);
}

/** Computes an ARPC by method 1: the encrypted XOR of cryptogram and response code (Book 2 §8.2.1). 8 bytes. */
export function arpcMethod1(key16: Uint8Array, arqc: Uint8Array, arc: Uint8Array): Uint8Array<ArrayBuffer> {
  return tdesEncrypt(key16, xor(arqc, concat(arc, new Uint8Array(6))));
}

/**
 * Computes an ARPC by method 2: a MAC over cryptogram, card status update and proprietary data (Book 2 §8.2.2). 4
 * bytes.
 */
export function arpcMethod2(
  key16: Uint8Array,
  arqc: Uint8Array,
  csu: Uint8Array,
  proprietary: Uint8Array = new Uint8Array(0),
): Uint8Array<ArrayBuffer> {
  return macAlgorithm3(key16, concat(arqc, csu, proprietary), '80').slice(0, 4);
}
