import type { Queries, Row, Transaction } from '../../platform/store/store.ts';

/** Rows read in one transaction: few enough that no request waits long for it. */
const BATCH_SIZE = 100;

/** The instants that decide what has expired, epoch milliseconds. */
export interface Cutoff {
  nowMs: number;
  /** Objects that have not changed since then have expired. */
  beforeMs: number;
}

/** Result of one batch. */
interface BatchResult {
  /** Whether objects with an id were deleted. */
  deletedObjects: boolean;
  /** The `seq` after which the next batch of the table begins; undefined when no expired row is left. */
  next: number | undefined;
}

/** Deletes the expired rows of one table. */
export interface Purge {
  /** Deletes the expired rows among the next ones after `afterSeq`. */
  runBatch(tx: Transaction, afterSeq: number, cutoff: Cutoff): Promise<BatchResult>;
}

export interface ObjectPurge {
  table: 'events' | 'actions' | 'payment_sessions' | 'subscriptions';
  /** Whether nothing will happen to the object any more, and it has not changed since `cutoff.beforeMs`. */
  isFinished(queries: Queries, id: string, cutoff: Cutoff): Promise<boolean>;
  /** Deletes it with what belongs to it alone. */
  remove(tx: Transaction, id: string): Promise<void>;
}

interface OldRow extends Row {
  seq: number;
  id: string;
  created_ms: number;
}

/** Creates the purge of a table of API objects: checks each one, oldest first. */
export function objectPurge({ table, isFinished, remove }: ObjectPurge): Purge {
  return {
    async runBatch(tx, afterSeq, cutoff) {
      const rows = await tx.all<OldRow>(
        `SELECT seq, id, created_ms FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`,
        afterSeq,
        BATCH_SIZE,
      );
      let deletedObjects = false;
      for (const { id, created_ms: createdMs } of rows) {
        if (createdMs >= cutoff.beforeMs || !(await isFinished(tx, id, cutoff))) continue;
        await remove(tx, id);
        deletedObjects = true;
      }
      const last = rows.at(-1);
      const more = last && rows.length === BATCH_SIZE && last.created_ms < cutoff.beforeMs;
      return { deletedObjects, next: more ? last.seq : undefined };
    },
  };
}

/** Creates the purge of a table that nothing refers to: deletes rows by the instant in `column` alone. */
export function expiryPurge(table: string, { key, column }: { key: string; column: string }): Purge {
  return {
    async runBatch(tx, _afterSeq, { beforeMs }) {
      const rows = await tx.all<{ key: string }>(
        `SELECT ${key} AS key FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ?`,
        beforeMs,
        BATCH_SIZE,
      );
      for (const row of rows) await tx.run(`DELETE FROM ${table} WHERE ${key} = ?`, row.key);
      return { deletedObjects: false, next: rows.length === BATCH_SIZE ? 0 : undefined };
    },
  };
}
