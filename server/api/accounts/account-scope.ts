import type { Caller } from '../../platform/http/auth.ts';
import type { SqlValue } from '../../platform/store/store.ts';

/**
 * Returns the SQL condition for the rows that a caller controls: those of the sub account in the Account header,
 * or without the header those of the platform and all its sub accounts. For sandbox controls and pairing; the API
 * itself shows one account at a time (Spec §5.6).
 */
export function accountScopeOf(
  { accountId, platformId }: Pick<Caller, 'accountId' | 'platformId'>,
  column = 'account_id',
): { where: string; parameters: SqlValue[] } {
  if (accountId !== platformId) return { where: `${column} = ?`, parameters: [accountId] };
  return {
    where: `${column} IN (SELECT id FROM accounts WHERE id = ? OR platform_id = ?)`,
    parameters: [platformId, platformId],
  };
}
