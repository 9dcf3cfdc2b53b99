import { readSetting, storeSetting } from './setting.records.ts';
import type { Queries, Transaction } from './store.ts';

const NAME = 'reset_ms';

/** Stores when a reset takes place, real time: other servers still hold what they are about to write from before it. */
export function storeResetTime(tx: Transaction, realNowMs: number): Promise<void> {
  return storeSetting(tx, NAME, String(Math.floor(realNowMs)));
}

/** Returns when the latest reset took place, real time; -Infinity when there was none. */
export async function readResetTime(queries: Queries): Promise<number> {
  return Number((await readSetting(queries, NAME)) ?? -Infinity);
}
