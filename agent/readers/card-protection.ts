import { DUKPT } from '../../protocol/cryptography/dukpt.ts';
import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import { Fault } from '../../protocol/failures.ts';
import type { Random } from '../../protocol/ids.ts';
import type { ProtectedCardData, ProtectedPin } from '../../protocol/messages/card-data.schema.ts';
import type { TerminalKeys } from '../../protocol/terminal-keys.ts';
import { atomicJsonFile } from './atomic-json-file.ts';

/** Encrypts card data and PINs for the issuer, before they leave the reader module. */
export interface CardProtection {
  /** Starts a transaction with its own keys (X9.24). @throws Fault `reader` when the keys are used up. */
  transaction(): TransactionProtection;
}

export interface TransactionProtection {
  /** `plain` is BER-TLV: 5A, 5F34 and 57 as far as the card has them. */
  cardData(plain: Uint8Array): ProtectedCardData;
  pin(digits: string, pan: string): ProtectedPin;
}

/** Stores the DUKPT transaction counter of a key set. A saved counter survives a power cut. */
export interface KeyCounterStore {
  /** Returns the last counter saved for this key set; 0 for a new one. @throws Fault `journal`. */
  load(initialKeyId: string): number;
  /** Returns once the counter is stored. @throws Fault `journal`; the counter must not be used then. */
  save(initialKeyId: string, counter: number): void;
}

/** Creates a store in memory. */
export function memoryKeyCounter(): KeyCounterStore {
  const counters = new Map<string, number>();
  return {
    load: (initialKeyId) => counters.get(initialKeyId) ?? 0,
    save: (initialKeyId, counter) => void counters.set(initialKeyId, counter),
  };
}

interface StoredCounter {
  initialKeyId: string;
  counter: number;
}

/**
 * Creates a store in a JSON file beside the terminal's journal, for one key set: a new pairing replaces it. `sync`
 * also flushes to disk, which a real terminal needs and a simulated one does not.
 * @throws Fault `journal` when the file cannot be written, or its content is invalid.
 */
export function fileKeyCounter(path: string, options: { sync: boolean }): KeyCounterStore {
  const file = atomicJsonFile(path, 'the key counter', { ...options, read: readStoredCounter });
  return {
    load(initialKeyId) {
      const kept = file.load();
      return kept?.initialKeyId === initialKeyId ? kept.counter : 0;
    },
    save: (initialKeyId, counter) => file.save({ initialKeyId, counter }),
  };
}

/** An unreadable counter is an error: to start at 0 would use keys twice. */
function readStoredCounter(found: unknown): StoredCounter {
  const kept = found as StoredCounter | null;
  if (typeof kept?.initialKeyId !== 'string' || !Number.isSafeInteger(kept.counter)) {
    throw new Error('it holds no counter');
  }
  return kept;
}

interface DukptProtectionParts {
  /** From pairing. */
  keys: TerminalKeys;
  counter: KeyCounterStore;
  /** For PIN blocks of format 4. */
  random: Random;
}

const PIN_RANDOM_BYTES = 8;

/**
 * Creates the encryption of card data and PINs with DUKPT, with new keys for each transaction: X9.24-3 with PIN block
 * format 4, or X9.24-1 with format 0. The counter is saved before its keys are used, so that a power cut can skip a
 * key and never reuse one.
 * @throws Fault `garbage_message` when the keys are not those of a pairing.
 */
export function createDukptProtection({ keys, counter, random }: DukptProtectionParts): CardProtection {
  const dukpt = DUKPT[keys.scheme];
  const keyId = fromHex(keys.initialKeyId);
  const initialKey = fromHex(keys.initialKey);
  if (keyId.length !== dukpt.keyIdBytes || initialKey.length !== 16) {
    throw new Fault('garbage_message', `these are no ${keys.scheme} keys of a terminal`);
  }
  return {
    transaction() {
      const next = dukpt.nextCounter(counter.load(keys.initialKeyId));
      if (next === undefined) {
        throw new Fault('reader', 'the keys of this terminal are used up: pair it again');
      }
      counter.save(keys.initialKeyId, next);
      const serialNumber = dukpt.ksnOf(keyId, next);
      const transactionKeys = dukpt.transactionKeys(initialKey, serialNumber);
      const sent = { scheme: keys.scheme, ksn: toHex(serialNumber) };
      return {
        cardData: (plain) => ({ ...sent, cipherText: toHex(dukpt.sealData(transactionKeys, plain)) }),
        pin(digits, pan) {
          const block = dukpt.sealPin(transactionKeys, digits, pan, random.bytes(PIN_RANDOM_BYTES));
          return { ...sent, pinBlock: toHex(block) };
        },
      };
    },
  };
}
