import type { KeyHolder } from './key-form.ts';
import type { Queries } from './store/store.ts';

/** What the platform asks about accounts: who holds a key, and which account stands under which. */
export interface AccountDirectory {
  /** The holder of a key; undefined for a key that is not in force. */
  findKey(queries: Queries, key: string): Promise<KeyHolder | undefined>;
  /** The platform that a sub account is linked to; undefined for any other id. */
  findPlatformId(queries: Queries, accountId: string): Promise<string | undefined>;
}
