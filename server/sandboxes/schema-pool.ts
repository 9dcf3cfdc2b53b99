import { messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { createSerialQueue } from '../../protocol/serial-queue.ts';
import { MIGRATIONS } from '../platform/store/migrations/migrate.ts';
import { createSchema, dropSchema, renameSchema } from '../platform/store/postgres-schema.ts';
import type { Store, Transaction } from '../platform/store/store.ts';

/** A table beside those of the sandbox `default`, with a row for each schema of the pool. */
export const POOL_TABLE = `CREATE TABLE IF NOT EXISTS sandbox_schema_pool (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  migration INTEGER NOT NULL
)`;

/** An arbitrary number, the same in every version: the server that holds the lock adds a schema. */
const POOL_LOCK = 7_203_115;

interface SchemaPoolParts {
  /** Store of the schema with the table of the pool. */
  records: Store;
  /** Schemas that are kept ready. */
  size: number;
  log: Log;
}

/** Schemas with all tables and no rows, kept ready for new sandboxes by all servers on a database together. */
export interface SchemaPool {
  /**
   * Takes a schema out of the pool and gives it a name, in the transaction of the caller, which then sees its tables by
   * their names alone. Returns false when none is ready.
   */
  take(tx: Transaction, name: string): Promise<boolean>;
  /** Creates schemas until enough are ready. Logs why when it cannot. */
  fill(): Promise<void>;
  /** Ends the filling, after the schema that is being created. */
  stop(): Promise<void>;
}

/**
 * Creates each schema in one transaction with its row, so that it is there as a whole or not at all. One of an earlier
 * migration is deleted when the pool is filled, and never taken.
 */
export function createSchemaPool({ records, size, log }: SchemaPoolParts): SchemaPool {
  const oneAtATime = createSerialQueue();
  let next: Promise<void> | undefined;
  let stopped = false;

  async function fillUp(): Promise<void> {
    next = undefined;
    try {
      while (!stopped && (await records.transaction((tx) => addOne(tx, size))));
    } catch (thrown) {
      log.warn({ reason: messageOf(thrown) }, 'no schemas could be prepared for new sandboxes');
    }
  }

  return {
    take: takeOne,
    // Calls that wait for the filling under way share the next one.
    fill: () => (next ??= oneAtATime(fillUp)),
    async stop() {
      stopped = true;
      await oneAtATime(async () => {});
    },
  };
}

// No sandbox has an underscore in its name.
function schemaOf(id: number): string {
  return `sandbox_pool_${id}`;
}

async function takeOne(tx: Transaction, name: string): Promise<boolean> {
  // Servers that take one at the same time do not wait for each other.
  const taken = await tx.get<{ id: number }>(
    `DELETE FROM sandbox_schema_pool WHERE id = (
       SELECT id FROM sandbox_schema_pool
       WHERE migration = ? AND to_regnamespace('sandbox_pool_' || id) IS NOT NULL
       ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    MIGRATIONS.length,
  );
  if (taken) await renameSchema(tx, schemaOf(taken.id), name);
  return taken !== undefined;
}

/** Adds a schema unless enough are ready. Returns whether it did. */
async function addOne(tx: Transaction, size: number): Promise<boolean> {
  // What other servers added while this one waited for the lock is counted.
  await tx.run('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  await tx.get('SELECT pg_advisory_xact_lock(?)', POOL_LOCK);
  await removeUnusable(tx);
  const ready = await tx.get<{ count: number }>(
    'SELECT count(*) AS count FROM sandbox_schema_pool WHERE migration = ?',
    MIGRATIONS.length,
  );
  if (ready!.count >= size) return false;
  const added = await tx.get<{ id: number }>(
    'INSERT INTO sandbox_schema_pool (migration) VALUES (?) RETURNING id',
    MIGRATIONS.length,
  );
  await createSchema(tx, schemaOf(added!.id));
  return true;
}

/** Deletes schemas of earlier migrations, and the rows of those that are gone. */
async function removeUnusable(tx: Transaction): Promise<void> {
  const removed = await tx.all<{ id: number }>(
    `DELETE FROM sandbox_schema_pool
     WHERE migration < ? OR to_regnamespace('sandbox_pool_' || id) IS NULL
     RETURNING id`,
    MIGRATIONS.length,
  );
  for (const { id } of removed) await dropSchema(tx, schemaOf(id));
}
