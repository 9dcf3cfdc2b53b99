import { createCipheriv, createDecipheriv } from 'node:crypto';
import { concat } from '../emv/tlv.ts';

/** AES-128 by whole blocks, each by itself, nothing padded (FIPS 197). */
export function aesEncrypt(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return run(createCipheriv('aes-128-ecb', key, null), data);
}

export function aesDecrypt(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return run(createDecipheriv('aes-128-ecb', key, null), data);
}

/** AES-128 in cipher block chaining from an initial value of 0, nothing padded. */
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
