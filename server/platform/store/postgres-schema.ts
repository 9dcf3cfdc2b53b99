import { Fault } from '../../../protocol/failures.ts';
import { createTables } from './migrations/migrate.ts';
import { quoted } from './postgres-connections.ts';
import type { Store, Transaction } from './store.ts';
import { copiedTables, NUMBERED_TABLES, TABLE_NAMES, type Table } from './tables.ts';

/**
 * Creates a schema with all tables and no rows. The rest of the transaction sees its tables by their names alone.
 * @param upTo number of the last migration; all unless given
 * @throws UniqueViolation or Fault `store` when there is one of this name
 */
export async function createSchema(tx: Transaction, schema: string, upTo?: number): Promise<void> {
  await tx.run(`CREATE SCHEMA ${quoted(schema)}`);
  await tx.run(`SET LOCAL search_path TO ${quoted(schema)}`);
  await createTables(tx, 'postgres', upTo);
}

/** Gives a schema another name. The rest of the transaction sees its tables by their names alone. */
export async function renameSchema(tx: Transaction, schema: string, name: string): Promise<void> {
  await tx.run(`ALTER SCHEMA ${quoted(schema)} RENAME TO ${quoted(name)}`);
  await tx.run(`SET LOCAL search_path TO ${quoted(name)}`);
}

/** Returns the schema that the tables of a store are in. @throws Fault `internal` for another kind of store */
export async function schemaOfStore(store: Store): Promise<string> {
  if (store.engine !== 'postgres')
    throw new Fault('internal', 'a copy of a sandbox in another kind of store');
  const row = await store.get<{ name: string }>('SELECT current_schema() AS name');
  return row!.name;
}

/**
 * Copies the rows of all tables of a schema into those that the transaction sees by their names alone, which have none.
 * New rows get numbers after them.
 */
export async function copyRows(tx: Transaction, source: string): Promise<void> {
  const tables = await copiedTables(tx, 'postgres');
  const filled = await filledTables(tx, source);
  // Sent at once, so that the copies of small tables do not wait for the network in between.
  await Promise.all([
    ...tables.filter(({ name }) => filled.has(name)).map((table) => copyTable(tx, table, source)),
    copyLastNumbers(tx, source),
  ]);
}

function copyTable(tx: Transaction, { name, columns }: Table, source: string): Promise<unknown> {
  const all = columns.map(quoted).join(', ');
  return tx.run(
    `INSERT INTO ${name} (${all}) OVERRIDING SYSTEM VALUE SELECT ${all} FROM ${quoted(source)}.${name}`,
  );
}

/** Returns the tables of a schema that have rows, or had some that are not cleaned up. */
async function filledTables(tx: Transaction, schema: string): Promise<ReadonlySet<string>> {
  // Found by name: a condition on the schema alone would read the catalogue of all sandboxes.
  const rows = await tx.all<{ name: string }>(
    `SELECT name FROM ${namesFrom(TABLE_NAMES)} WHERE pg_relation_size(to_regclass(format('%I.%I', ?::text, name))) > 0`,
    schema,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns the bytes of all tables of a schema with their indexes. */
async function bytesOf(tx: Transaction, schema: string): Promise<number> {
  const row = await tx.get<{ bytes: number }>(
    `SELECT SUM(pg_total_relation_size(to_regclass(format('%I.%I', ?::text, name)))) AS bytes
     FROM ${namesFrom(TABLE_NAMES)}`,
    schema,
  );
  return row!.bytes;
}

/** Returns the text of a table with the column `name`. */
function namesFrom(names: readonly string[]): string {
  return `(VALUES ${names.map((name) => `('${name}')`).join(', ')}) AS tables (name)`;
}

/** Returns whether there is a schema of this name. */
export async function hasSchema(tx: Transaction, schema: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM pg_namespace WHERE nspname = ?', schema)) !== undefined;
}

/**
 * Deletes all rows of a schema but those of its migrations, and lets its numbers begin again, when no transaction writes to
 * it any more. Leaves nothing behind in the catalogue of the database, as deleting and creating tables does.
 * @param bytesMax size of all tables with their indexes above which they are left as they are
 * @returns false for a schema that is larger
 */
export async function emptySchema(tx: Transaction, schema: string, bytesMax: number): Promise<boolean> {
  const named = (name: string) => `${quoted(schema)}.${name}`;
  // Waits for what still writes to it; what comes later does not find the schema under the name that it had.
  await tx.run(`LOCK TABLE ${TABLE_NAMES.map(named).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  if ((await bytesOf(tx, schema)) > bytesMax) return false;
  const filled = await filledTables(tx, schema);
  await Promise.all([
    ...[...filled].map((name) => tx.run(`DELETE FROM ${named(name)}`)),
    tx.all(
      `SELECT setval(pg_get_serial_sequence(format('%I.%I', ?::text, name), 'seq'), 1, false)
       FROM ${namesFrom(NUMBERED_TABLES)}`,
      schema,
    ),
  ]);
  return true;
}

/** Deletes a schema and all that is in it. Does nothing when there is none. */
export async function dropSchema(tx: Transaction, schema: string): Promise<void> {
  await tx.run(`DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`);
}

/** Lets tables go on after the last number that their source gave, also where its row is deleted. */
async function copyLastNumbers(tx: Transaction, source: string): Promise<void> {
  await tx.all(
    `SELECT setval(pg_get_serial_sequence(name, 'seq'), last)
     FROM (SELECT name, pg_sequence_last_value(
                    pg_get_serial_sequence(format('%I.%I', ?::text, name), 'seq')::regclass) AS last
           FROM ${namesFrom(NUMBERED_TABLES)}) AS given
     WHERE last IS NOT NULL`,
    source,
  );
}
