import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { WalletDomain } from './wallet.schema.ts';

export interface WalletDomainRow extends Row {
  id: string;
  account_id: string;
  domain_name: string;
  created_ms: number;
}

/** Returns a wallet domain as the API shows it. */
export function toWalletDomain(row: WalletDomainRow): WalletDomain {
  return { id: row.id, domainName: row.domain_name, createdTimestamp: toTimestamp(row.created_ms) };
}

export const WALLET_DOMAIN_LIST = (accountId: string): PageSource => ({
  table: 'wallet_domains',
  owned: { where: 'account_id = ?', parameters: [accountId] },
  shown: { where: 'deleted = 0', parameters: [] },
});

export function findWalletDomain(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<WalletDomainRow | undefined> {
  return queries.get<WalletDomainRow>(
    `SELECT * FROM wallet_domains WHERE id = ? AND account_id = ? AND deleted = 0`,
    id,
    accountId,
  );
}

export async function countWalletDomains(queries: Queries, accountId: string): Promise<number> {
  const row = await queries.get<{ domains: number }>(
    `SELECT COUNT(*) AS domains FROM wallet_domains WHERE account_id = ? AND deleted = 0`,
    accountId,
  );
  return row?.domains ?? 0;
}

/** Inserts a wallet domain; returns undefined when the account has registered this name already. */
export function insertWalletDomain(
  tx: Transaction,
  { id, accountId, domainName }: { id: string; accountId: string; domainName: string },
  nowMs: number,
): Promise<WalletDomainRow | undefined> {
  return tx.get<WalletDomainRow>(
    `INSERT INTO wallet_domains (id, account_id, domain_name, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING RETURNING *`,
    id,
    accountId,
    domainName,
    nowMs,
    nowMs,
  );
}

/** Deletes a wallet domain; returns false when it was already deleted. */
export async function deleteWalletDomain(tx: Transaction, id: string, nowMs: number): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE wallet_domains SET deleted = 1, updated_ms = ? WHERE id = ? AND deleted = 0`,
    nowMs,
    id,
  );
  return changes === 1;
}
