import { Fault } from '../../../protocol/failures.ts';
import { createTables } from './migrations/migrate.ts';
import { quoted } from './postgres-connections.ts';
import type { Store, Transaction } from './store.ts';
import { copiedTables, hasNumbers, type Table } from './tables.ts';

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
  // Sent at once, so that the copies of small tables do not wait for the network in between.
  await Promise.all([
    ...tables.map((table) => copyTable(tx, table, source)),
    copyLastNumbers(tx, tables.filter(hasNumbers), source),
  ]);
}

function copyTable(tx: Transaction, { name, columns }: Table, source: string): Promise<unknown> {
  const all = columns.map(quoted).join(', ');
  return tx.run(
    `INSERT INTO ${name} (${all}) OVERRIDING SYSTEM VALUE SELECT ${all} FROM ${quoted(source)}.${name}`,
  );
}

/** Deletes a schema and all that is in it. Does nothing when there is none. */
export async function dropSchema(tx: Transaction, schema: string): Promise<void> {
  await tx.run(`DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`);
}

/** Lets tables go on after the last number that their source gave, also where its row is deleted. */
async function copyLastNumbers(tx: Transaction, tables: readonly Table[], source: string): Promise<void> {
  await tx.all(
    `SELECT setval(pg_get_serial_sequence(name, 'seq'), last)
     FROM (SELECT name, pg_sequence_last_value(
                    pg_get_serial_sequence(format('%I.%I', ?::text, name), 'seq')::regclass) AS last
           FROM (VALUES ${tables.map(({ name }) => `('${name}')`).join(', ')}) AS numbered (name)) AS given
     WHERE last IS NOT NULL`,
    source,
  );
}
