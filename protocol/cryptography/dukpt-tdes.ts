import { concat } from '../emv/tlv.ts';
import { Fault } from '../failures.ts';
import { tdesEncrypt, xor } from './block-ciphers.ts';
import { nextCounterWithin, type TransactionKeys } from './dukpt-counter.ts';

/** The low 21 bits of a key serial number count transactions (X9.24-1:2009 §A.1). */
const COUNTER_BITS = 21;
/** A counter with more ones than this has no key, which limits the derivation steps (§A.3). */
const ONES_MAX = 10;

const C0 = Uint8Array.of(0xc0, 0xc0, 0xc0, 0xc0, 0, 0, 0, 0, 0xc0, 0xc0, 0xc0, 0xc0, 0, 0, 0, 0);

/** The byte of each half that is inverted, for each use of a transaction key (X9.24-1:2009 §A.4.1). */
const VARIANT_BYTE = { pin: 7, mac: 6, data: 5 };

/**
 * Derives the initial key of a terminal (16 bytes) from a base derivation key (16 bytes) and a key serial number (10
 * bytes) (§A.6).
 */
export function deriveInitialKey(bdk: Uint8Array, ksn: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = atCounter(ksn, 0).subarray(0, 8);
  return concat(tdesEncrypt(bdk, start), tdesEncrypt(xor(bdk, C0), start));
}

/** Derives the keys of the transaction that `ksn` identifies, 16 bytes each. */
export function transactionKeys(initialKey: Uint8Array, ksn: Uint8Array): TransactionKeys {
  const counter = counterOf(ksn);
  let key = initialKey;
  let reached = 0;
  for (let bit = 1 << (COUNTER_BITS - 1); bit > 0; bit >>= 1) {
    if ((counter & bit) === 0) continue;
    reached |= bit;
    key = nextKey(key, atCounter(ksn, reached).subarray(2));
  }
  const data = variant(key, VARIANT_BYTE.data);
  return {
    pin: variant(key, VARIANT_BYTE.pin),
    mac: variant(key, VARIANT_BYTE.mac),
    // Data keys take one further step, so that they reveal nothing of the others (§A.4.1).
    data: concat(tdesEncrypt(data, data.subarray(0, 8)), tdesEncrypt(data, data.subarray(8))),
  };
}

export function counterOf(ksn: Uint8Array): number {
  return ((ksn[7]! & 0x1f) << 16) | (ksn[8]! << 8) | ksn[9]!;
}

/** Returns a key serial number with another counter. */
export function atCounter(ksn: Uint8Array, counter: number): Uint8Array<ArrayBuffer> {
  if (ksn.length !== 10) throw new Fault('garbage_message', 'a key serial number has 10 bytes');
  const high = (ksn[7]! & 0xe0) | (counter >> 16);
  return concat(ksn.subarray(0, 7), Uint8Array.of(high, (counter >> 8) & 0xff, counter & 0xff));
}

/** Returns the next counter that has a key; undefined when all are used (§A.3). */
export function nextCounter(counter: number): number | undefined {
  return nextCounterWithin(counter, { bits: COUNTER_BITS, onesMax: ONES_MAX });
}

/** Derives the key of a counter with one more bit set (§A.2, non-reversible key generation). */
function nextKey(key: Uint8Array, register: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat(halfKey(xor(key, C0), register), halfKey(key, register));
}

function halfKey(key: Uint8Array, register: Uint8Array): Uint8Array<ArrayBuffer> {
  const right = key.subarray(8);
  return xor(tdesEncrypt(key.subarray(0, 8), xor(register, right)), right);
}

function variant(key: Uint8Array, invertedByte: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(key, (byte, at) => (at % 8 === invertedByte ? byte ^ 0xff : byte));
}
