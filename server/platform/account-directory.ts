import type { KeyHolder } from './key-form.ts';
import type { Queries, Transaction } from './store/store.ts';

/** Who receives the events of an account (Spec §6.3). */
export interface Recipients {
  platformId: string;
  webhooks: { webhookId: string; eventTypes: string[] }[];
}

/** What the platform asks about accounts: who holds a key, and which account stands under which. */
export interface AccountDirectory {
  /** The holder of a key; undefined for a key that is not in force. */
  findKey(queries: Queries, key: string): Promise<KeyHolder | undefined>;
  /** The platform that a sub account is linked to; undefined for any other id. */
  findPlatformId(queries: Queries, accountId: string): Promise<string | undefined>;
  /** The platform of an account, itself for a platform, and its active webhooks, oldest first; read once in a transaction. */
  findRecipients(tx: Transaction, accountId: string): Promise<Recipients>;
}
