import { tdesCbcEncrypt } from '../../../protocol/cryptography/des.ts';
import { DUKPT } from '../../../protocol/cryptography/dukpt.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { KEY_SERIAL_NUMBER_TAG } from './protocol.ts';

/** The published demonstration key of the maker. */
const BASE_KEY = fromHex('0123456789ABCDEFFEDCBA9876543210');
const KEY_ID = fromHex('FFFF9876543210E00000');
const BLOCK_BYTES = 8;

/** In place of a length field: flags of masked and of encrypted data, and one byte of length. */
const MASKED = 0xa1;
const ENCRYPTED = 0xc1;

/** Encrypts the card data of one result. Each has a key of its own (TDES DUKPT). */
export interface ResultCipher {
  /** DFEE12. */
  keySerialNumber: Uint8Array;
  encrypt(plain: Uint8Array): Uint8Array;
  /** Encodes a card number (5A) or track (57, 9F6B) twice: masked, and its whole object encrypted. */
  sensitive(tag: string, value: Uint8Array): Uint8Array;
}

export function createResultCipher(counter: number): ResultCipher {
  const { data } = keysAt(counter);
  const encrypt = (plain: Uint8Array) => {
    const rest = plain.length % BLOCK_BYTES;
    const padded = rest ? concat(plain, new Uint8Array(BLOCK_BYTES - rest)) : plain;
    return tdesCbcEncrypt(data, padded);
  };
  const flagged = (tag: string, flag: number, value: Uint8Array) =>
    concat(fromHex(tag), Uint8Array.of(flag, value.length), value);
  return {
    keySerialNumber: encodeTlv(KEY_SERIAL_NUMBER_TAG, DUKPT.TDES.ksnOf(KEY_ID, counter)),
    encrypt,
    sensitive: (tag, value) =>
      concat(
        flagged(tag, MASKED, maskedDigits(value)),
        flagged(tag, ENCRYPTED, encrypt(encodeTlv(tag, value))),
      ),
  };
}

function keysAt(counter: number) {
  const { deriveInitialKey, transactionKeys, ksnOf } = DUKPT.TDES;
  return transactionKeys(deriveInitialKey(BASE_KEY, KEY_ID), ksnOf(KEY_ID, counter));
}

/** Keeps four digits at both ends of the number, expiry and service code; the other digits become C. */
function maskedDigits(value: Uint8Array): Uint8Array {
  const digits = toHex(value);
  const [number = '', rest] = digits.split('D');
  const hidden = number.slice(0, 4) + 'C'.repeat(Math.max(number.length - 8, 0)) + number.slice(-4);
  const masked = rest === undefined ? hidden : `${hidden}D${rest.slice(0, 7)}${'C'.repeat(rest.length - 7)}`;
  return fromHex(masked);
}
