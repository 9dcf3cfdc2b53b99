import type { Caller } from '../../platform/http/auth.ts';
import type { SqlValue } from '../../platform/store/store.ts';

/**
 * Which rows of a table with an `account_id` a caller controls: those of the sub account that the Account
 * header names, or without the header those of the platform and all its sub accounts. The controls around the
 * API reach that far; the API itself shows one account at a time (Spec §5.6).
 */
export function reachOf(
  { accountId, platformId }: Pick<Caller, 'accountId' | 'platformId'>,
  column = 'account_id',
): { where: string; parameters: SqlValue[] } {
  if (accountId !== platformId) return { where: `${column} = ?`, parameters: [accountId] };
  return {
    where: `${column} IN (SELECT id FROM accounts WHERE id = ? OR platform_id = ?)`,
    parameters: [platformId, platformId],
  };
}
