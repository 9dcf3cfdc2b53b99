import { messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { createSerialQueue } from '../../protocol/serial-queue.ts';
import { MIGRATIONS } from '../platform/store/migrations/migrate.ts';
import {
  createSchema,
  dropSchema,
  emptySchema,
  hasSchema,
  renameSchema,
} from '../platform/store/postgres-schema.ts';
import type { Row, Store, Transaction } from '../platform/store/store.ts';

/**
 * Statements that create a table beside those of the sandbox `default`, with a row for each schema of the pool. `used`
 * are those of deleted sandboxes, which have rows.
 */
export const POOL_TABLE: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS sandbox_schema_pool (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    migration INTEGER NOT NULL
  )`,
  'ALTER TABLE sandbox_schema_pool ADD COLUMN IF NOT EXISTS used BOOLEAN NOT NULL DEFAULT FALSE',
];

/**
 * Schemas that are kept when sandboxes are deleted. Each of them spares the catalogue of the database about 3,000 deleted
 * rows, and takes 2 MB.
 */
const KEPT_MAX = 64;

/** A larger schema is deleted, as its rows take longer to delete, and leave their space behind. */
const KEPT_BYTES_MAX = 16 * 2 ** 20;

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
  /**
   * Puts the schema of a deleted sandbox into the pool, in the transaction of the caller; deletes it when the pool keeps
   * none. Does nothing when there is none of this name.
   */
  give(tx: Transaction, name: string): Promise<void>;
  /** Empties the schemas of deleted sandboxes, and creates others until enough are ready. Logs why when it cannot. */
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
    const isDone = async () =>
      !(await records.transaction((tx) => emptyOne(tx, size))) &&
      !(await records.transaction((tx) => addOne(tx, size)));
    try {
      while (!stopped && !(await isDone()));
    } catch (thrown) {
      log.warn({ reason: messageOf(thrown) }, 'no schemas could be prepared for new sandboxes');
    }
  }

  return {
    take: takeOne,
    give: (tx, name) => (size === 0 ? dropSchema(tx, name) : giveOne(tx, name)),
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
  const id = (await takeReady(tx)) ?? (await takeUsed(tx));
  if (id !== undefined) await renameSchema(tx, schemaOf(id), name);
  return id !== undefined;
}

async function takeReady(tx: Transaction): Promise<number | undefined> {
  // Servers that take one at the same time do not wait for each other.
  const taken = await tx.get<{ id: number }>(
    `DELETE FROM sandbox_schema_pool WHERE id = (
       SELECT id FROM sandbox_schema_pool
       WHERE migration = ? AND NOT used AND to_regnamespace('sandbox_pool_' || id) IS NOT NULL
       ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    MIGRATIONS.length,
  );
  return taken?.id;
}

/** Empties the schema of a deleted sandbox and takes it, which takes a fifth of the time of creating one. */
async function takeUsed(tx: Transaction): Promise<number | undefined> {
  const used = await lockUsed(tx);
  if (!used || !(await isReusable(tx, used))) return undefined;
  await tx.run('DELETE FROM sandbox_schema_pool WHERE id = ?', used.id);
  return used.id;
}

async function giveOne(tx: Transaction, name: string): Promise<void> {
  if (!(await hasSchema(tx, name))) return;
  const given = await tx.get<{ id: number }>(
    'INSERT INTO sandbox_schema_pool (migration, used) VALUES (?, TRUE) RETURNING id',
    MIGRATIONS.length,
  );
  await renameSchema(tx, name, schemaOf(given!.id));
}

interface UsedSchema extends Row {
  id: number;
  /** How many others are ready. */
  ready: number;
}

/** Returns the schema that was deleted first of those that no other server empties. */
function lockUsed(tx: Transaction): Promise<UsedSchema | undefined> {
  return tx.get<UsedSchema>(
    `SELECT id, (SELECT count(*) FROM sandbox_schema_pool WHERE NOT used) AS ready FROM sandbox_schema_pool
     WHERE used ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
}

/** Empties the schema of a deleted sandbox. Returns false when it is gone, of another migration or large. */
async function isReusable(tx: Transaction, { id }: UsedSchema): Promise<boolean> {
  const schema = schemaOf(id);
  if ((await migrationOf(tx, schema)) !== MIGRATIONS.length) return false;
  return emptySchema(tx, schema, KEPT_BYTES_MAX);
}

/** Empties the schema of a deleted sandbox, or deletes it when enough are kept. Returns whether there was one. */
async function emptyOne(tx: Transaction, size: number): Promise<boolean> {
  await tx.run('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  const used = await lockUsed(tx);
  if (!used) return false;
  const isKept = used.ready < Math.max(size, KEPT_MAX) && (await isReusable(tx, used));
  if (!isKept) await dropSchema(tx, schemaOf(used.id));
  await tx.run(
    isKept
      ? 'UPDATE sandbox_schema_pool SET used = FALSE WHERE id = ?'
      : 'DELETE FROM sandbox_schema_pool WHERE id = ?',
    used.id,
  );
  return true;
}

/** Returns the number of the last migration of a schema; undefined when there is no such schema. */
async function migrationOf(tx: Transaction, schema: string): Promise<number | undefined> {
  if (!(await hasSchema(tx, schema))) return undefined;
  return (await tx.get<{ newest: number }>(`SELECT MAX(number) AS newest FROM ${schema}.migrations`))?.newest;
}

/** Adds a schema unless enough are ready. Returns whether it did. */
async function addOne(tx: Transaction, size: number): Promise<boolean> {
  // What other servers added while this one waited for the lock is counted.
  await tx.run('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  await tx.get('SELECT pg_advisory_xact_lock(?)', POOL_LOCK);
  await removeUnusable(tx);
  const ready = await tx.get<{ count: number }>(
    'SELECT count(*) AS count FROM sandbox_schema_pool WHERE migration = ? AND NOT used',
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
