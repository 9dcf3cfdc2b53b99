import { createHash } from 'node:crypto';
import { rsaSign, type RsaPrivateKey } from '../../../protocol/cryptography/rsa.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { readDolValues, respondWith, status, SW } from './apdu.ts';
import type { Chip, CommandHandler } from './chip-state.ts';

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

const DYNAMIC_NUMBER_BYTES = 8;

/** INTERNAL AUTHENTICATE: dynamic data authentication (EMV 4.4 Book 3 §6.5.9; Book 2 §6.5). */
export const internalAuthenticate: CommandHandler = ({ chip, image, transaction }, { p1, p2, data }) => {
  const { ddol } = image.facts;
  if (ddol === undefined) return status(SW.unknownInstruction);
  if (p1 !== 0 || p2 !== 0) return status(SW.wrongParameters);
  if (!transaction || transaction.stage !== 'started') return status(SW.notNow);
  if (!readDolValues(fromHex(ddol), data)) return status(SW.wrongLength);
  transaction.dynamicallySigned = true;
  const signature = signDynamicData(chip.issued.iccKey, iccDynamicNumber(chip), data);
  // §6.5.9.4 allows both formats, and terminals must read both.
  return respondWith(
    chip.profile.scheme === 'Mastercard'
      ? encodeTlv('77', encodeTlv('9F4B', signature))
      : encodeTlv('80', signature),
  );
};

/** ICC dynamic number (9F4C) with its length, as it begins the dynamic data (Book 2 §6.5.2, table 16). */
export function iccDynamicNumber({ random }: Chip): Uint8Array {
  return concat(Uint8Array.of(DYNAMIC_NUMBER_BYTES), random.bytes(DYNAMIC_NUMBER_BYTES));
}
