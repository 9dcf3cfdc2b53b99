import { findAccount } from '../accounts/account.records.ts';
import type { Queries } from '../../platform/store/store.ts';

/** The first of these accounts that the platform is not linked to; undefined when it is linked to all. */
export async function firstStranger(
  queries: Queries,
  platformId: string,
  accountIds: readonly string[],
): Promise<string | undefined> {
  for (const id of new Set(accountIds)) {
    if (id === platformId) continue;
    if ((await findAccount(queries, id))?.platformId !== platformId) return id;
  }
  return undefined;
}
