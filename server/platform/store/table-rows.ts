import type { Queries, Row, SqlValue, Store, Transaction } from './store.ts';
import { hasNumbers, type Table } from './tables.ts';

/** Values of one row, in the order of the columns of its table. */
export type RowValues = readonly SqlValue[];

type Engine = Store['engine'];

const ROWS_AT_ONCE = 200;

/**
 * Reads the rows of a table, some at a time. Nothing may be written to it meanwhile: on PostgreSQL a transaction sees to
 * that.
 */
export function readRows(queries: Queries, engine: Engine, table: Table): AsyncGenerator<RowValues[]> {
  return engine === 'sqlite' ? readPages(queries, table) : readCursor(queries, table);
}

async function* readPages(queries: Queries, { name, columns }: Table): AsyncGenerator<RowValues[]> {
  const page = `SELECT rowid AS page_row, ${columns.join(', ')} FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ?`;
  for (let after: SqlValue = -1; ;) {
    const rows: Row[] = await queries.all(page, after, ROWS_AT_ONCE);
    if (rows.length > 0) yield rows.map((row) => valuesOf(row, columns));
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)!['page_row']!;
  }
}

async function* readCursor(queries: Queries, { name, columns }: Table): AsyncGenerator<RowValues[]> {
  const cursor = `rows_of_${name}`;
  await queries.run(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM ${name}`);
  for (let rows: Row[]; ;) {
    rows = await queries.all(`FETCH ${ROWS_AT_ONCE} FROM ${cursor}`);
    if (rows.length > 0) yield rows.map((row) => valuesOf(row, columns));
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await queries.run(`CLOSE ${cursor}`);
}

function valuesOf(row: Row, columns: readonly string[]): RowValues {
  return columns.map((column) => row[column]!);
}

// Few enough for the parameters of one statement, 32,766 on SQLite.
const INSERTED_AT_ONCE = 50;

/** Inserts rows into a table, their own numbers included. */
export async function insertRows(
  tx: Transaction,
  engine: Engine,
  { name, columns }: Table,
  rows: readonly RowValues[],
): Promise<void> {
  const into = `INSERT INTO ${name} (${columns.join(', ')})${engine === 'postgres' ? ' OVERRIDING SYSTEM VALUE' : ''}`;
  const marks = `(${columns.map(() => '?').join(', ')})`;
  const insert = (some: readonly RowValues[]) =>
    tx.run(`${into} VALUES ${some.map(() => marks).join(', ')}`, ...some.flat());
  let at = 0;
  for (; at + INSERTED_AT_ONCE <= rows.length; at += INSERTED_AT_ONCE)
    await insert(rows.slice(at, at + INSERTED_AT_ONCE));
  // One by one, so that there are two statements to prepare for a table and not one for each number of rows.
  for (const row of rows.slice(at)) await insert([row]);
}

/** Returns the last number that a table gave to a row, also where the row is deleted; null when it gave none. */
export async function readLastNumber(queries: Queries, engine: Engine, table: Table): Promise<number | null> {
  if (!hasNumbers(table)) return null;
  const sql =
    engine === 'sqlite'
      ? `SELECT seq AS last FROM sqlite_sequence WHERE name = ?`
      : `SELECT pg_sequence_last_value(pg_get_serial_sequence(?, 'seq')::regclass) AS last`;
  const row = await queries.get<{ last: number | null }>(sql, table.name);
  return row?.last ?? null;
}

/** Lets a table give the numbers after `last` to new rows. */
export async function setLastNumber(
  tx: Transaction,
  engine: Engine,
  { name }: Table,
  last: number,
): Promise<void> {
  if (engine === 'postgres') {
    await tx.get(`SELECT setval(pg_get_serial_sequence(?, 'seq'), ?)`, name, last);
    return;
  }
  await tx.run(`DELETE FROM sqlite_sequence WHERE name = ?`, name);
  await tx.run(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`, name, last);
}
