import type { AccountDirectory } from '../../platform/account-directory.ts';
import { findAccount } from './account.records.ts';
import { findKey } from './api-keys.ts';

/** Looks up accounts and API keys in the store, for the platform layer. */
export const accountDirectory: AccountDirectory = {
  findKey,
  findPlatformId: async (queries, accountId) =>
    (await findAccount(queries, accountId))?.platformId ?? undefined,
};
