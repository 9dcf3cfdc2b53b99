import { concat } from '../emv/tlv.ts';
import { Fault } from '../failures.ts';
import { aesEncrypt } from './block-ciphers.ts';
import { nextCounterWithin, type TransactionKeys } from './dukpt-counter.ts';

/** Key usage indicators in the derivation data (X9.24-3-2017 §6.3.2). */
const USAGE = { initialKey: 0x8001, derivation: 0x8000, pin: 0x1000, mac: 0x2000, data: 0x3000 };

const COUNTER_BITS = 32;
/** A counter with more ones than this has no key, which limits the derivation steps (X9.24-3-2017 §6). */
const ONES_MAX = 16;

/**
 * Derives the initial key of a terminal from a base derivation key and an initial key id of 8 bytes (§6.3.3). 16
 * bytes.
 */
export function deriveInitialKey(bdk: Uint8Array, initialKeyId: Uint8Array): Uint8Array<ArrayBuffer> {
  if (initialKeyId.length !== 8) throw new Fault('garbage_message', 'an initial key id has 8 bytes');
  return derive(bdk, USAGE.initialKey, initialKeyId);
}

/**
 * Derives the keys of the transaction that `ksn` (12 bytes: initial key id and counter) identifies, 16 bytes each.
 */
export function transactionKeys(initialKey: Uint8Array, ksn: Uint8Array): TransactionKeys {
  const counter = counterOf(ksn);
  const keyId = ksn.subarray(4, 8);
  let key = initialKey;
  let reached = 0;
  for (let bit = COUNTER_BITS - 1; bit >= 0; bit--) {
    const one = 2 ** bit;
    if (Math.floor(counter / one) % 2 === 0) continue;
    reached += one;
    key = derive(key, USAGE.derivation, concat(keyId, fourBytes(reached)));
  }
  const keyFor = (usage: number) => derive(key, usage, concat(keyId, fourBytes(counter)));
  return { pin: keyFor(USAGE.pin), mac: keyFor(USAGE.mac), data: keyFor(USAGE.data) };
}

export function counterOf(ksn: Uint8Array): number {
  if (ksn.length !== 12) throw new Fault('garbage_message', 'a key serial number has 12 bytes');
  return Buffer.from(ksn).readUInt32BE(8);
}

/** Returns the key serial number for an initial key id, or another key serial number, with this counter. */
export function atCounter(ksn: Uint8Array, counter: number): Uint8Array<ArrayBuffer> {
  return concat(ksn.subarray(0, 8), fourBytes(counter));
}

/** Returns the next counter that has a key; undefined when all are used. */
export function nextCounter(counter: number): number | undefined {
  return nextCounterWithin(counter, { bits: COUNTER_BITS, onesMax: ONES_MAX });
}

/**
 * Encrypts the derivation data with the deriving key (§6.3.1, §6.3.2): version 1, first block, key usage, AES-128
 * with 128 bits, then the key id or counter.
 */
function derive(key: Uint8Array, usage: number, whose: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = Uint8Array.of(0x01, 0x01, usage >> 8, usage & 0xff, 0x00, 0x02, 0x00, 0x80);
  return aesEncrypt(key, concat(head, whose));
}

function fourBytes(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
