import { DUKPT } from '../../../protocol/cryptography/dukpt.ts';
import type { TransactionKeys } from '../../../protocol/cryptography/dukpt-counter.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import type { ProtectedCardData } from '../../../protocol/messages/action.messages.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { useKeys } from './pairing.records.ts';
import { initialKeyOf, keyIdOf } from './terminal-keys.ts';

/** A terminal with the set of keys that its latest pairing gave it. */
interface KeyedTerminal {
  id: string;
  pairing_generation: number;
  key_scheme: ProtectedCardData['scheme'] | null;
}

/**
 * The keys under which a terminal sent card data; used up by this. Undefined when they are not of the set that its
 * latest pairing gave it, or the counter does not grow (X9.24-1:2009 §A.3, X9.24-3-2017 §6): somebody sends again
 * what was sent before, or has copied the terminal.
 * @throws Fault `garbage_message` for what is no key serial number of its scheme.
 */
export async function takeTransactionKeys(
  tx: Transaction,
  pairingSecret: string,
  terminal: KeyedTerminal,
  { scheme, ksn }: Pick<ProtectedCardData, 'scheme' | 'ksn'>,
): Promise<TransactionKeys | undefined> {
  if (terminal.key_scheme !== scheme) return undefined;
  const serialNumber = fromHex(ksn);
  const { keyId, counter } = DUKPT[scheme].readKsn(serialNumber);
  const keySet = { terminalId: terminal.id, generation: terminal.pairing_generation, scheme };
  if (toHex(keyId) !== toHex(keyIdOf(keySet))) return undefined;
  if (!(await useKeys(tx, terminal.id, counter))) return undefined;
  return DUKPT[scheme].transactionKeys(initialKeyOf(pairingSecret, keySet), serialNumber);
}
