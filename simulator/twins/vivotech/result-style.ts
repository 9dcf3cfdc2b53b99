import { tdesCbcEncrypt } from '../../../protocol/cryptography/block-ciphers.ts';
import { DUKPT } from '../../../protocol/cryptography/dukpt.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';
import { KEY_SERIAL_NUMBER_TAG } from './frames.ts';

/** Shape of a result, and its cipher when it is encrypted. */
export interface ResultStyle {
  shape: ResultShape;
  cipher?: ResultCipher | undefined;
}

/** How a firmware writes its results. Recorded readers differ in each of these. */
export interface ResultShape {
  /** `long`: bit 5 of the attribution byte is set, and DFEE26 at the beginning has a second byte. */
  attribution: 'short' | 'long';
  /** Where the tracks of a swipe are: `formatted` in DFEE23 alone, `both` in DFEE23 and DFEF4D. */
  tracks: 'formatted' | 'both';
  /** A failure of 02-40 and 60-1x: in DFEE02, as four bytes without a tag, or without data. */
  failure: 'object' | 'bytes' | 'empty';
  /** Objects of a contact result without a list of the host: all of the guide, or the few that recorded readers send. */
  objects: 'all' | 'few';
  /** Whether card numbers and tracks are encrypted. */
  encrypted: boolean;
}

export const DEFAULT_SHAPE: ResultShape = {
  attribution: 'short',
  tracks: 'both',
  failure: 'object',
  objects: 'all',
  encrypted: false,
};

/** What a person can switch while the twin runs, by the word that is typed. */
const SHAPE_CHANGES: Readonly<Record<string, Partial<ResultShape>>> = {
  'short-attribution': { attribution: 'short' },
  'long-attribution': { attribution: 'long' },
  'formatted-tracks': { tracks: 'formatted' },
  'both-tracks': { tracks: 'both' },
  'failure-object': { failure: 'object' },
  'failure-bytes': { failure: 'bytes' },
  'failure-empty': { failure: 'empty' },
  'all-objects': { objects: 'all' },
  'few-objects': { objects: 'few' },
  clear: { encrypted: false },
  encrypted: { encrypted: true },
};

/** Returns the shape with the change of this name. @throws Fault `bad_setting`, listing the names. */
export function changedShape(shape: ResultShape, name: string | undefined): ResultShape {
  const change = name !== undefined && Object.hasOwn(SHAPE_CHANGES, name) ? SHAPE_CHANGES[name] : undefined;
  if (!change) {
    throw new Fault('bad_setting', `results takes one of: ${Object.keys(SHAPE_CHANGES).join(', ')}`);
  }
  return { ...shape, ...change };
}

/** The published demonstration key of the maker. */
const BASE_KEY = fromHex('0123456789ABCDEFFEDCBA9876543210');
const KEY_ID = fromHex('FFFF9876543210E00000');
const BLOCK_BYTES = 8;

/** In place of a length field: flags of masked and of encrypted data, and one byte of length. */
const MASKED = 0xa1;
const ENCRYPTED = 0xc1;

/** Encrypts the card data of one result. Each has a key of its own (TDES DUKPT). */
interface ResultCipher {
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
