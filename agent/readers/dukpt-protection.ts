import { DUKPT } from '../../protocol/cryptography/dukpt.ts';
import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import { Fault } from '../../protocol/failures.ts';
import type { Random } from '../../protocol/ids.ts';
import type { TerminalKeys } from '../../protocol/terminal-keys.ts';
import type { CardProtection } from './card-protection.ts';
import type { KeyCounterStore } from './key-counter-store.ts';

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
