import { DUKPT } from '../../../protocol/cryptography/dukpt.ts';
import type { TransactionKeys } from '../../../protocol/cryptography/dukpt-counter.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import type { ProtectedCardData } from '../../../protocol/messages/card-data.schema.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { advanceKeyCounter } from './pairing.records.ts';
import { initialKeyOf, keySetIdOf } from './terminal-keys.ts';

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
