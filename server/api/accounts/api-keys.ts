import { createHash } from 'node:crypto';
import { sameText } from '../../platform/constant-time-equal.ts';
import { keyForm, type KeyHolder, type KeyKind } from '../../platform/key-form.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Mode } from '../../platform/settings.ts';

// Keys are long random texts, so a plain digest is enough: there is nothing to guess from it.
function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

interface KeyRow extends Row {
  hash: string;
  kind: KeyKind;
  mode: Mode;
  account_id: string;
}

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

/** Whether an account has keys, and they are not exactly these. */
export async function hasOtherKeys(tx: Transaction, keys: string[], accountId: string): Promise<boolean> {
  const rows = await tx.all<{ hash: string }>(`SELECT hash FROM api_keys WHERE account_id = ?`, accountId);
  const wanted = keys.map(digest);
  return rows.some(({ hash }) => !wanted.includes(hash));
}

/** Keys that are not among `keys` stop working: the environment says which are in force. */
export async function keepOnlyKeys(tx: Transaction, keys: string[], accountId: string): Promise<void> {
  const marks = keys.map(() => '?').join(', ');
  await tx.run(
    `DELETE FROM api_keys WHERE account_id = ? AND hash NOT IN (${marks})`,
    accountId,
    ...keys.map(digest),
  );
}

export async function findKey(queries: Queries, key: string): Promise<KeyHolder | undefined> {
  const hash = digest(key);
  const row = await queries.get<KeyRow>(`SELECT * FROM api_keys WHERE hash = ?`, hash);
  if (!row || !sameText(row.hash, hash)) return undefined;
  return { hash, kind: row.kind, mode: row.mode, accountId: row.account_id };
}
