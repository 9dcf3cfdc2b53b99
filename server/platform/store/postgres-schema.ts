import { Fault } from '../../../protocol/failures.ts';
import { createTables } from './migrations/migrate.ts';
import { quoted } from './postgres-connections.ts';
import type { Queries, Row, Store, Transaction } from './store.ts';

// A copy has its own: the servers that run on the source do not run on it.
const NOT_COPIED = ['migrations', 'instances'];

interface Column extends Row {
  table_name: string;
  column_name: string;
  is_identity: 'YES' | 'NO';
}

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

/** Returns the schema that the tables of a store are in. @throws Fault `internal` for another kind of store */
export async function schemaOfStore(store: Store): Promise<string> {
  if (store.engine !== 'postgres')
    throw new Fault('internal', 'a copy of a sandbox in another kind of store');
  const row = await store.get<{ name: string }>('SELECT current_schema() AS name');
  return row!.name;
}

/** Copies the rows of all tables into a schema that has the same tables without rows. New rows get numbers after them. */
export async function copyRows(tx: Transaction, source: string, target: string): Promise<void> {
  const columns = (await columnsOf(tx, target)).filter((column) => !NOT_COPIED.includes(column.table_name));
  const names = new Map<string, string[]>();
  for (const { table_name, column_name } of columns)
    names.set(table_name, [...(names.get(table_name) ?? []), quoted(column_name)]);
  for (const [table, list] of names) {
    const all = list.join(', ');
    await tx.run(
      `INSERT INTO ${quoted(target)}.${quoted(table)} (${all}) OVERRIDING SYSTEM VALUE
       SELECT ${all} FROM ${quoted(source)}.${quoted(table)}`,
    );
  }
  for (const { table_name, column_name, is_identity } of columns) {
    if (is_identity === 'YES') await copySequence(tx, { source, target, table_name, column_name });
  }
}

/** Deletes a schema and all that is in it. Does nothing when there is none. */
export async function dropSchema(tx: Transaction, schema: string): Promise<void> {
  await tx.run(`DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`);
}

function columnsOf(queries: Queries, schema: string): Promise<Column[]> {
  return queries.all<Column>(
    `SELECT table_name, column_name, is_identity FROM information_schema.columns
     WHERE table_schema = ? ORDER BY table_name, ordinal_position`,
    schema,
  );
}

/** Lets the counter of a column go on after the last number that the source gave, also where its row is deleted. */
async function copySequence(
  tx: Transaction,
  of: { source: string; target: string; table_name: string; column_name: string },
): Promise<void> {
  const sequenceIn = (schema: string) =>
    [`${quoted(schema)}.${quoted(of.table_name)}`, of.column_name] as const;
  await tx.get(
    `SELECT setval(pg_get_serial_sequence(?, ?), given.last)
     FROM (SELECT pg_sequence_last_value(pg_get_serial_sequence(?, ?)::regclass) AS last) AS given
     WHERE given.last IS NOT NULL`,
    ...sequenceIn(of.target),
    ...sequenceIn(of.source),
  );
}
