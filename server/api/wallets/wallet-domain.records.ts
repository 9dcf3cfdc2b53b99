import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { NewOf, RowOf } from '../../platform/store/stored-property.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { WALLET_DOMAIN } from './wallet.schema.ts';

export type WalletDomainRow = RowOf<typeof WALLET_DOMAIN>;

export const walletDomains = storedObjects({ table: 'wallet_domains', deletable: {} }, WALLET_DOMAIN);

export async function countWalletDomains(queries: Queries, accountId: string): Promise<number> {
  const row = await queries.get<{ domains: number }>(
    `SELECT COUNT(*) AS domains FROM wallet_domains WHERE account_id = ? AND deleted = 0`,
    accountId,
  );
  return row?.domains ?? 0;
}

/** Inserts a domain of an account, which the transaction has locked; returns undefined when the account has it already. */
export function insertWalletDomain(
  tx: Transaction,
  domain: NewOf<typeof WALLET_DOMAIN>,
  nowMs: number,
): Promise<WalletDomainRow | undefined> {
  tx.requireRowLock('accounts', domain.accountId);
  return walletDomains.insertUnlessTaken(tx, domain, nowMs);
}
