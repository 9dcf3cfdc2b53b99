import type { KeyHolder } from './key-form.ts';
import type { Queries, Transaction } from './store/store.ts';

/** Who receives the events of an account (Spec §6.3). */
export interface Recipients {
  platformId: string;
  webhooks: { webhookId: string; eventTypes: string[] }[];
}

/** The port through which the platform layer looks up accounts: by API key, and the platform of a sub account. */
export interface AccountDirectory {
  /** The holder of a key; undefined for a key that is not in force. */
  findKey(queries: Queries, key: string): Promise<KeyHolder | undefined>;
  /** The platform that a sub account is linked to; undefined for any other id. */
  findPlatformId(queries: Queries, accountId: string): Promise<string | undefined>;
  /** The platform of an account, itself for a platform, and its active webhooks, oldest first; read once in a transaction. */
  findRecipients(tx: Transaction, accountId: string): Promise<Recipients>;
}
