import type { Queries, Row, Transaction } from '../../platform/store/store.ts';

/** Rows looked at in one transaction: few enough that no request waits long behind it. */
const ROWS_A_STEP = 100;

/** The instants that decide what is old, epoch milliseconds. */
export interface Age {
  nowMs: number;
  /** What has not changed since then is old. */
  beforeMs: number;
}

/** What one step did. */
interface Step {
  /** Whether objects with an id were deleted. */
  forgot: boolean;
  /** The `seq` after which the next step of the shelf begins; undefined when nothing old is left to look at. */
  next: number | undefined;
}

/** One table that retention goes through. */
export interface Shelf {
  /** Deletes what is finished and old among the next rows. */
  takeStep(tx: Transaction, afterSeq: number, age: Age): Promise<Step>;
}

export interface ObjectShelf {
  table: 'events' | 'actions' | 'payment_sessions' | 'subscriptions';
  /** Whether nothing will happen to the object any more, and it has not changed since `age.beforeMs`. */
  isFinished(queries: Queries, id: string, age: Age): Promise<boolean>;
  /** Deletes it with what belongs to it alone. */
  remove(tx: Transaction, id: string): Promise<void>;
}

interface OldRow extends Row {
  seq: number;
  id: string;
  created_ms: number;
}

/** A shelf of objects, each of which is looked at, oldest first. */
export function objectShelf({ table, isFinished, remove }: ObjectShelf): Shelf {
  return {
    async takeStep(tx, afterSeq, age) {
      const rows = await tx.all<OldRow>(
        `SELECT seq, id, created_ms FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`,
        afterSeq,
        ROWS_A_STEP,
      );
      let forgot = false;
      for (const { id, created_ms: createdMs } of rows) {
        if (createdMs >= age.beforeMs || !(await isFinished(tx, id, age))) continue;
        await remove(tx, id);
        forgot = true;
      }
      const last = rows.at(-1);
      const more = last && rows.length === ROWS_A_STEP && last.created_ms < age.beforeMs;
      return { forgot, next: more ? last.seq : undefined };
    },
  };
}

/** A shelf of rows that nothing refers to: each goes when the instant in its column is long past. */
export function expiryShelf(table: string, { key, column }: { key: string; column: string }): Shelf {
  return {
    async takeStep(tx, _afterSeq, { beforeMs }) {
      const rows = await tx.all<{ key: string }>(
        `SELECT ${key} AS key FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ?`,
        beforeMs,
        ROWS_A_STEP,
      );
      for (const row of rows) await tx.run(`DELETE FROM ${table} WHERE ${key} = ?`, row.key);
      return { forgot: false, next: rows.length === ROWS_A_STEP ? 0 : undefined };
    },
  };
}
