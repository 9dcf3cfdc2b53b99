import { createHash } from 'node:crypto';
import { constantTimeEqual } from '../../platform/constant-time-equal.ts';
import { keyForm, type KeyHolder, type KeyKind } from '../../platform/key-form.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Mode } from '../../platform/settings.ts';
import type { AccountDirectory } from '../../platform/account-directory.ts';
import { readAccount, findAccount } from './account.records.ts';

// Keys are long random strings, so an unsalted digest is enough.
function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

interface KeyRow extends Row {
  hash: string;
  kind: KeyKind;
  mode: Mode;
  account_id: string;
}

/** Adds an API key to an account; does nothing when it exists. Only its digest is stored. */
export async function insertKey(tx: Transaction, key: string, accountId: string): Promise<void> {
  const form = keyForm(key);
  if (!form) throw new Error('not an API key');
  await tx.run(
    `INSERT INTO api_keys (hash, kind, mode, account_id) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
    digest(key),
    form.kind,
    form.mode,
    accountId,
  );
}

/** Returns whether an account has a key that is not among `keys`. */
export async function hasOtherKeys(tx: Transaction, keys: string[], accountId: string): Promise<boolean> {
  const rows = await tx.all<{ hash: string }>(`SELECT hash FROM api_keys WHERE account_id = ?`, accountId);
  const wanted = keys.map(digest);
  return rows.some(({ hash }) => !wanted.includes(hash));
}

/** Deletes the keys of an account that are not among `keys`: the environment decides which are valid. */
export async function revokeOtherKeys(tx: Transaction, keys: string[], accountId: string): Promise<void> {
  const marks = keys.map(() => '?').join(', ');
  await tx.run(
    `DELETE FROM api_keys WHERE account_id = ? AND hash NOT IN (${marks})`,
    accountId,
    ...keys.map(digest),
  );
}

/** Returns what an API key is for; undefined for an unknown one. */
export async function findKey(queries: Queries, key: string): Promise<KeyHolder | undefined> {
  const hash = digest(key);
  const row = await queries.get<KeyRow>(`SELECT * FROM api_keys WHERE hash = ?`, hash);
  if (!row || !constantTimeEqual(row.hash, hash)) return undefined;
  return { hash, kind: row.kind, mode: row.mode, accountId: row.account_id };
}

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
