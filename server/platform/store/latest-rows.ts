import type { Store, Transaction } from './store.ts';
import { insertRows, type RowValues } from './table-rows.ts';
import type { Table } from './tables.ts';

/** How many rows a table keeps. */
export interface RowLimits {
  countMax: number;
  /** Bytes of the texts of its rows; the latest row is kept however many it has. No limit unless given. */
  bytesMax?: number | undefined;
}

/**
 * Inserts rows into a table that keeps the latest, and deletes those that are over its limits. The table has a column
 * `total_bytes`, which this writes (server/platform/store/migrations/0034-bytes-of-logs.ts): so the rows to delete are found
 * without a look at those that stay.
 */
export async function insertLatest(
  tx: Transaction,
  engine: Store['engine'],
  { table: { name, columns }, rows }: { table: Table; rows: readonly RowValues[] },
  { countMax, bytesMax = Infinity }: RowLimits,
): Promise<void> {
  // Each total is that of the row before, so they are written one batch after the other.
  tx.lock(`latest ${name}`);
  const newest = () =>
    tx.get<{ seq: number; total: number }>(
      `SELECT seq, total_bytes AS total FROM ${name} ORDER BY seq DESC LIMIT 1`,
    );
  let total = (await newest())?.total ?? 0;
  const counted = rows.map((row) => [...row, (total += bytesOf(row))]);
  await insertRows(tx, engine, { name, columns: [...columns, 'total_bytes'] }, counted);
  const last = await newest();
  if (!last) return;
  await tx.run(`DELETE FROM ${name} WHERE seq <= ?`, last.seq - countMax);
  if (last.total <= bytesMax) return;
  // The last row of which a part is over the limit, or that ends where the limit begins.
  await tx.run(
    `DELETE FROM ${name} WHERE seq < ? AND
       seq <= (SELECT seq FROM ${name} WHERE total_bytes >= ? ORDER BY seq LIMIT 1)`,
    last.seq,
    last.total - bytesMax,
  );
}

function bytesOf(row: RowValues): number {
  return row.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
}
