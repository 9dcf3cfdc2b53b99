import { createHash, createHmac } from 'node:crypto';
import { adjustParity } from '../../../protocol/cryptography/block-ciphers.ts';
import { DUKPT, type KeySchemeName } from '../../../protocol/cryptography/dukpt.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import type { TerminalKeys } from '../../../protocol/terminal-keys.ts';
import type { TransactionKeys } from '../../../protocol/cryptography/dukpt-counter.ts';
import type { ProtectedCardData } from '../../../protocol/messages/card-data.schema.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { advanceKeyCounter } from './pairing.records.ts';

/** Identifies a set of keys: a terminal, its pairing generation and the scheme. */
interface KeySet {
  terminalId: string;
  generation: number;
  scheme: KeySchemeName;
}

/** Returns the keys of a pairing. Derived from the secret, so none is stored and all instances have the same. */
export function terminalKeys(pairingSecret: string, keySet: KeySet): TerminalKeys {
  return {
    scheme: keySet.scheme,
    initialKeyId: toHex(keySetIdOf(keySet)),
    initialKey: toHex(initialKeyOf(pairingSecret, keySet)),
  };
}

/** Returns the initial key of a set, from the base derivation key of its scheme. */
function initialKeyOf(pairingSecret: string, keySet: KeySet): Uint8Array {
  const bdk = baseDerivationKey(pairingSecret, keySet.scheme);
  return DUKPT[keySet.scheme].deriveInitialKey(bdk, keySetIdOf(keySet));
}

/** Returns the id of a key set: 8 bytes for AES, a key serial number with counter 0 for TDES. */
function keySetIdOf({ terminalId, generation, scheme }: KeySet): Uint8Array {
  const digest = createHash('sha256').update(`${scheme}:${terminalId}:${generation}`).digest();
  if (scheme === 'AES') return Uint8Array.from(digest.subarray(0, 8));
  // X9.24-1:2009 §A.1: FFFF pads a key serial number of 16 digits; its low 21 bits are the counter.
  const serialNumber = Uint8Array.of(0xff, 0xff, ...digest.subarray(0, 8));
  return DUKPT.TDES.ksnOf(serialNumber, 0);
}

/** Derives the base derivation key of a scheme from the pairing secret, as terminal passwords are. */
function baseDerivationKey(pairingSecret: string, scheme: KeySchemeName): Uint8Array {
  const key = createHmac('sha256', pairingSecret).update(`base derivation key:${scheme}`).digest('hex');
  const first16 = fromHex(key.slice(0, 32));
  return scheme === 'TDES' ? adjustParity(first16) : first16;
}

/** A terminal with the key set of its latest pairing. */
/** A terminal, with what its keys for card data derive from. */
export interface KeyedTerminal {
  id: string;
  pairing_generation: number;
  key_scheme: ProtectedCardData['scheme'] | null;
}

/**
 * Returns the keys that decrypt a terminal's card data, and marks them as used. Returns undefined for keys of another
 * pairing, or a counter that does not increase (X9.24-1:2009 §A.3, X9.24-3-2017 §6): a replay or a cloned terminal.
 * @throws Fault `garbage_message` for an invalid key serial number.
 */
export async function consumeTransactionKeys(
  tx: Transaction,
  pairingSecret: string,
  terminal: KeyedTerminal,
  { scheme, ksn }: Pick<ProtectedCardData, 'scheme' | 'ksn'>,
): Promise<TransactionKeys | undefined> {
  if (terminal.key_scheme !== scheme) return undefined;
  const serialNumber = fromHex(ksn);
  const { keyId, counter } = DUKPT[scheme].readKsn(serialNumber);
  const keySet = { terminalId: terminal.id, generation: terminal.pairing_generation, scheme };
  if (toHex(keyId) !== toHex(keySetIdOf(keySet))) return undefined;
  if (!(await advanceKeyCounter(tx, terminal.id, counter))) return undefined;
  return DUKPT[scheme].transactionKeys(initialKeyOf(pairingSecret, keySet), serialNumber);
}
