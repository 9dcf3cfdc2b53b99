import { concat } from '../emv/tlv.ts';
import { Fault } from '../failures.ts';
import {
  aesCbcDecrypt,
  aesCbcEncrypt,
  pad,
  tdesCbcDecrypt,
  tdesCbcEncrypt,
  tdesDecrypt,
  tdesEncrypt,
  unpad,
} from './block-ciphers.ts';
import * as aes from './dukpt-aes.ts';
import type { TransactionKeys } from './dukpt-counter.ts';
import * as tdes from './dukpt-tdes.ts';
import { decodePinBlock0, decryptPinBlock4, encodePinBlock0, encryptPinBlock4 } from './pin-block.ts';

export type KeySchemeName = 'AES' | 'TDES';

/** Derived unique key per transaction (DUKPT), AES or TDES, as terminal and issuer both use it. */
interface Dukpt {
  /** Length of the initial key id, bytes. */
  keyIdBytes: number;
  deriveInitialKey(bdk: Uint8Array, keyId: Uint8Array): Uint8Array<ArrayBuffer>;
  transactionKeys(initialKey: Uint8Array, ksn: Uint8Array): TransactionKeys;
  /** Returns the key serial number of a transaction. */
  ksnOf(keyId: Uint8Array, counter: number): Uint8Array<ArrayBuffer>;
  /** Splits a key serial number into key id and counter. @throws Fault `garbage_message` for a wrong length. */
  readKsn(ksn: Uint8Array): { keyId: Uint8Array<ArrayBuffer>; counter: number };
  nextCounter(counter: number): number | undefined;
  sealData(keys: TransactionKeys, plain: Uint8Array): Uint8Array<ArrayBuffer>;
  /** Decrypts data. @throws Fault `garbage_message` when the padding is wrong, as with other keys. */
  openData(keys: TransactionKeys, cipherText: Uint8Array): Uint8Array;
  /** Encrypts a PIN block. `random` has 8 bytes; format 0 ignores them. */
  sealPin(keys: TransactionKeys, pin: string, pan: string, random: Uint8Array): Uint8Array<ArrayBuffer>;
  /** Decrypts a PIN block. @throws Fault `garbage_message` when it contains no PIN for this card. */
  openPin(keys: TransactionKeys, block: Uint8Array, pan: string): string;
}

/**
 * Both schemes: X9.24-3 with PIN block format 4, X9.24-1 with format 0. Data is encrypted in CBC mode with a zero IV,
 * since each key is used once.
 */
export const DUKPT: Record<KeySchemeName, Dukpt> = {
  AES: {
    keyIdBytes: 8,
    deriveInitialKey: aes.deriveInitialKey,
    transactionKeys: aes.transactionKeys,
    ksnOf: (keyId, counter) => aes.atCounter(keyId, counter),
    readKsn: (ksn) => ({ counter: aes.counterOf(ksn), keyId: concat(ksn.subarray(0, 8)) }),
    nextCounter: aes.nextCounter,
    sealData: (keys, plain) => aesCbcEncrypt(keys.data, pad(plain, '80', 16)),
    openData: (keys, cipherText) => unpad(aesCbcDecrypt(keys.data, whole(cipherText, 16))),
    sealPin: (keys, pin, pan, random) => encryptPinBlock4(keys.pin, pin, pan, random),
    openPin: (keys, block, pan) => decryptPinBlock4(keys.pin, whole(block, 16), pan),
  },
  TDES: {
    keyIdBytes: 10,
    deriveInitialKey: tdes.deriveInitialKey,
    transactionKeys: tdes.transactionKeys,
    ksnOf: (keyId, counter) => tdes.atCounter(keyId, counter),
    readKsn: (ksn) => ({ keyId: tdes.atCounter(ksn, 0), counter: tdes.counterOf(ksn) }),
    nextCounter: tdes.nextCounter,
    sealData: (keys, plain) => tdesCbcEncrypt(keys.data, pad(plain, '80', 8)),
    openData: (keys, cipherText) => unpad(tdesCbcDecrypt(keys.data, whole(cipherText, 8))),
    sealPin: (keys, pin, pan) => tdesEncrypt(keys.pin, encodePinBlock0(pin, pan)),
    openPin: (keys, block, pan) => decodePinBlock0(tdesDecrypt(keys.pin, whole(block, 8)), pan),
  },
};

function whole(bytes: Uint8Array, blockBytes: number): Uint8Array {
  if (bytes.length === 0 || bytes.length % blockBytes !== 0) {
    throw new Fault('garbage_message', `not blocks of ${blockBytes} bytes`);
  }
  return bytes;
}
