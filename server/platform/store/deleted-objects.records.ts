import { createdMsOf } from '../../../protocol/ids.ts';
import { readSetting, storeSetting } from './setting.records.ts';
import type { Queries, Transaction } from './store.ts';

const NAME = 'forgotten_until_ms';

/** Saves that objects created before this instant (epoch ms) may have been deleted by retention. */
export async function saveDeletedBefore(tx: Transaction, beforeMs: number): Promise<void> {
  await storeSetting(tx, NAME, String(beforeMs));
}

/** Returns whether an id may be that of an object deleted by retention. */
export async function mayBeDeleted(queries: Queries, id: string): Promise<boolean> {
  const idMs = createdMsOf(id);
  if (idMs === undefined) return false;
  const deletedBeforeMs = await readSetting(queries, NAME);
  return deletedBeforeMs !== undefined && idMs < Number(deletedBeforeMs);
}
