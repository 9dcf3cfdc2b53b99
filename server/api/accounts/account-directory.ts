import type { AccountDirectory } from '../../platform/account-directory.ts';
import { findAccount } from './account.records.ts';
import { findKey } from './api-keys.ts';

/** Accounts and keys as the store has them. */
export const accountDirectory: AccountDirectory = {
  findKey,
  findPlatformId: async (queries, accountId) =>
    (await findAccount(queries, accountId))?.platformId ?? undefined,
};
