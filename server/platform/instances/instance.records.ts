import type { Queries, Transaction } from '../store/store.ts';

/** How often a server writes that it runs, and after how long without that it counts as ended, real time. */
export const SEEN_EVERY_MS = 4_000;
export const ALIVE_MS = 10_000;

/** Keeps that a server runs at this instant. */
export async function recordInstance(tx: Transaction, id: string, realNowMs: number): Promise<void> {
  await tx.run(
    `INSERT INTO instances (id, seen_ms) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms`,
    id,
    realNowMs,
  );
}

/** How many servers besides this one run on the store. Those that ended without a word are deleted. */
export async function countOtherInstances(tx: Transaction, id: string, realNowMs: number): Promise<number> {
  await tx.run(`DELETE FROM instances WHERE seen_ms < ?`, realNowMs - ALIVE_MS);
  const row = await tx.get<{ others: number }>(`SELECT COUNT(*) AS others FROM instances WHERE id <> ?`, id);
  return row!.others;
}

/** Deletes a server that ends. */
export async function removeInstance(queries: Queries, id: string): Promise<void> {
  await queries.run(`DELETE FROM instances WHERE id = ?`, id);
}
