import type { AccountDirectory } from '../../platform/account-directory.ts';
import { readAccount } from './account-reading.ts';
import { findAccount } from './account.records.ts';
import { findKey } from './api-keys.ts';

/** Looks up accounts and API keys in the store, for the platform layer. */
export const accountDirectory: AccountDirectory = {
  findKey,
  findPlatformId: async (queries, accountId) =>
    (await findAccount(queries, accountId))?.platformId ?? undefined,
  async findRecipients(tx, accountId) {
    const account = await readAccount(tx, accountId);
    return { platformId: account?.platformId ?? accountId, webhooks: account?.webhooks ?? [] };
  },
};
