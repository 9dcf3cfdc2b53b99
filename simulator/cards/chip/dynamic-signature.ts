import { createHash } from 'node:crypto';
import { rsaSign, type RsaPrivateKey } from '../../../protocol/cryptography/rsa.ts';
import { concat } from '../../../protocol/emv/tlv.ts';

/** Bytes besides the dynamic data and the padding: header, format, hash method, length, hash, trailer. */
const FRAME_BYTES = 25;

/**
 * Computes the signed dynamic application data, tag 9F4B (EMV 4.4 Book 2 §6.5.2, table 15). `terminalData` is part of
 * the hash only.
 */
export function signDynamicData(
  iccKey: RsaPrivateKey,
  dynamicData: Uint8Array,
  terminalData: Uint8Array,
): Uint8Array {
  const room = iccKey.modulus.length / 2 - FRAME_BYTES;
  const padding = new Uint8Array(room - dynamicData.length).fill(0xbb);
  const signed = concat(Uint8Array.of(0x05, 0x01, dynamicData.length), dynamicData, padding);
  return rsaSign(
    iccKey,
    concat(Uint8Array.of(0x6a), signed, sha1(signed, terminalData), Uint8Array.of(0xbc)),
  );
}

export function sha1(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
