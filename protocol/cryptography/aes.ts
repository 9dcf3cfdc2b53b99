import { createCipheriv, createDecipheriv } from 'node:crypto';
import { concat } from '../emv/tlv.ts';

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
