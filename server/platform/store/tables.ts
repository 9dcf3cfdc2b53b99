import { MIGRATIONS } from './migrations/migrate.ts';
import type { Queries, Row, Store } from './store.ts';

/** A table of a store. */
export interface Table {
  name: string;
  columns: readonly string[];
}

/** Returns whether a table numbers its rows by itself. */
export function hasNumbers({ columns }: Table): boolean {
  return columns.includes('seq');
}

interface ColumnRow extends Row {
  table_name: string;
  column_name: string;
}

const COLUMNS: Record<Store['engine'], string> = {
  sqlite: `SELECT t.name AS table_name, c.name AS column_name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY t.name, c.cid`,
  postgres: `SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`,
};

// A copy has its own: the servers that run on the source do not run on it.
const NOT_COPIED = ['migrations', 'instances'];

const created = (pattern: RegExp): readonly string[] =>
  MIGRATIONS.flatMap(({ statements }) => statements).flatMap(
    (statement) => pattern.exec(statement)?.[1] ?? [],
  );

/** The tables of a store, besides that of its migrations. A schema of PostgreSQL can have tables of others. */
export const TABLE_NAMES = created(/^CREATE TABLE (\w+)/);

/** The tables that number their rows by themselves, in the column `seq`. */
export const NUMBERED_TABLES = created(/^CREATE TABLE (\w+) \(\s*seq \{seq\}/);

const COPIED = TABLE_NAMES.filter((name) => !NOT_COPIED.includes(name));

// By engine and migration, which say what tables a database has.
const known = new Map<string, readonly Table[]>();

/**
 * Returns the tables that a copy of a sandbox has: all but those of its servers and migrations.
 * @param migration number of the last one that the database had; that of this program unless given
 */
export async function copiedTables(
  queries: Queries,
  engine: Store['engine'],
  migration = MIGRATIONS.length,
): Promise<readonly Table[]> {
  const key = `${engine} ${migration}`;
  const tables = known.get(key) ?? (await readTables(queries, engine));
  known.set(key, tables);
  return tables;
}

async function readTables(queries: Queries, engine: Store['engine']): Promise<Table[]> {
  const columns = await queries.all<ColumnRow>(COLUMNS[engine]);
  const tables = COPIED.map((name) => ({
    name,
    columns: columns.filter((column) => column.table_name === name).map((column) => column.column_name),
  }));
  return tables.filter((table) => table.columns.length > 0);
}

// Instants of the sandbox that have passed when they are written.
const PAST = ['created_ms', 'updated_ms', 'completed_ms', 'used_ms', 'seen_ms'];

/** Returns when the newest object was created or last changed, sandbox time; 0 without objects. */
export async function newestMs(queries: Queries, engine: Store['engine']): Promise<number> {
  let newest = 0;
  for (const { name, columns } of await copiedTables(queries, engine)) {
    for (const column of columns.filter((each) => PAST.includes(each))) {
      const row = await queries.get<{ newest: number | null }>(
        `SELECT MAX(${column}) AS newest FROM ${name}`,
      );
      newest = Math.max(newest, row?.newest ?? 0);
    }
  }
  return newest;
}
