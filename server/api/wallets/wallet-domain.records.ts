import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Queries } from '../../platform/store/store.ts';
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
