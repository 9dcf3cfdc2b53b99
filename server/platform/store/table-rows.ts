import { CHARACTERS_PER_TURN, nextTurn, type NextTurn } from '../loop-turns.ts';
import type { Queries, Row, SqlValue, Store, Transaction } from './store.ts';
import { hasNumbers, type Table } from './tables.ts';

/** Values of one row, in the order of the columns of its table. */
export type RowValues = readonly SqlValue[];

type Engine = Store['engine'];

/** Rows whose sizes are read at once on SQLite, and that are fetched at once on PostgreSQL. */
const ROWS_AT_ONCE = 200;

// Of each value, beside the characters of those that are text.
const CHARACTERS_OF_VALUE = 8;

/**
 * Reads the rows of a table, some at a time: as many as have CHARACTERS_PER_TURN, at least one. The event loop has a turn
 * after each of these. Nothing may be written to the table meanwhile: on PostgreSQL a transaction sees to that.
 */
export async function* readRows(
  queries: Queries,
  engine: Engine,
  table: Table,
  turn: NextTurn = nextTurn,
): AsyncGenerator<RowValues[]> {
  for await (const rows of engine === 'sqlite' ? readPages(queries, table) : readCursor(queries, table)) {
    yield rows.map((row) => valuesOf(row, table.columns));
    await turn();
  }
}

async function* readPages(queries: Queries, { name, columns }: Table): AsyncGenerator<Row[]> {
  const bytes = columns.map((column) => `COALESCE(octet_length(${column}), 0)`).join(' + ');
  const sizes = `SELECT rowid AS number, ${bytes} AS size FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ?`;
  const page = `SELECT ${columns.join(', ')} FROM ${name} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`;
  let read = -1;
  for (let rows: SizedRow[]; ;) {
    rows = await queries.all<SizedRow>(sizes, read, ROWS_AT_ONCE);
    for (const some of cut(rows, ({ size }) => size + columns.length * CHARACTERS_OF_VALUE)) {
      const last = some.at(-1)!.number;
      yield await queries.all(page, read, last);
      read = last;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

interface SizedRow extends Row {
  number: number;
  size: number;
}

async function* readCursor(queries: Queries, { name, columns }: Table): AsyncGenerator<Row[]> {
  const cursor = `rows_of_${name}`;
  await queries.run(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM ${name}`);
  for (let rows: Row[]; ;) {
    rows = await queries.all(`FETCH ${ROWS_AT_ONCE} FROM ${cursor}`);
    yield* cut(rows, (row) => sizeOf(Object.values(row)));
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await queries.run(`CLOSE ${cursor}`);
}

/** Returns about how many characters of JSON the values of a row have. */
export function sizeOf(values: RowValues): number {
  return values.reduce<number>(
    (sum, value) => sum + CHARACTERS_OF_VALUE + (typeof value === 'string' ? value.length : 0),
    0,
  );
}

/** Yields rows in their order, together as many as have CHARACTERS_PER_TURN, at least one. */
function* cut<R>(rows: readonly R[], sizeOfRow: (row: R) => number): Generator<R[]> {
  let [some, size]: [R[], number] = [[], 0];
  for (const row of rows) {
    const added = sizeOfRow(row);
    if (some.length > 0 && size + added > CHARACTERS_PER_TURN) {
      yield some;
      [some, size] = [[], 0];
    }
    some.push(row);
    size += added;
  }
  if (some.length > 0) yield some;
}

function valuesOf(row: Row, columns: readonly string[]): RowValues {
  return columns.map((column) => row[column]!);
}

// The most are few enough for the parameters of one statement, 32,766 on SQLite. A statement for each of these sizes is
// prepared for a table, and not one for each number of rows.
const ROWS_OF_INSERT = [50, 10, 1];

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
  for (const size of ROWS_OF_INSERT) {
    for (; at + size <= rows.length; at += size) await insert(rows.slice(at, at + size));
  }
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
