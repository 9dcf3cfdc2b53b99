import type { Queries, Transaction } from './store.ts';

const NAME = 'reset_ms';

/** Stores when a reset takes place, real time: other servers still hold what they are about to write from before it. */
export function storeResetTime(tx: Transaction, realNowMs: number): void {
  tx.send(
    `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    NAME,
    String(Math.floor(realNowMs)),
  );
}

/** Returns when the latest reset took place, real time; -Infinity when there was none. */
export async function readResetTime(queries: Queries): Promise<number> {
  const row = await queries.get<{ value: string }>(`SELECT value FROM settings WHERE name = ?`, NAME);
  return row ? Number(row.value) : -Infinity;
}
