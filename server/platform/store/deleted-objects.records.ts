import { createdMsOf } from '../../../protocol/ids.ts';
import type { Queries, Transaction } from './store.ts';

const NAME = 'forgotten_until_ms';

/** Saves that objects created before this instant (epoch ms) may have been deleted by retention. */
export async function saveDeletedBefore(tx: Transaction, beforeMs: number): Promise<void> {
  await tx.run(
    `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    NAME,
    String(beforeMs),
  );
}

/** Returns whether an id may be that of an object deleted by retention. */
export async function mayBeDeleted(queries: Queries, id: string): Promise<boolean> {
  const idMs = createdMsOf(id);
  if (idMs === undefined) return false;
  const row = await queries.get<{ value: string }>(`SELECT value FROM settings WHERE name = ?`, NAME);
  return row !== undefined && idMs < Number(row.value);
}
