import type { Queries, SqlValue, Transaction } from '../../server/platform/store/store.ts';
import { countFrom } from './count-from.ts';
import { nodesOf, planOf, type PlanNode } from './postgres-plan.ts';

/** Rows of each table that are measured first, and how many times as many afterwards. */
const FEW_ROWS = 400;
const TIMES_MORE = countFrom('TIMES_MORE', 5);

// What a statement reads may depend on which rows there are, but not on their number.
const GROWTH_MAX = 2;
const ROWS_ASIDE = 100;

/** Tables that may have no rows, and why. */
const EMPTY: Record<string, string> = {
  account_links: 'nothing lists them',
  three_ds_runs: 'nothing lists them',
  fault_recoveries: 'what faults took from terminals and will give back',
  seen_cryptograms: 'only terminals with a certified kernel send them',
};

interface Statement {
  sql: string;
  parameters: readonly SqlValue[];
}

/** How many rows a statement reads: of few rows, and of several times as many. */
interface Growth {
  sql: string;
  few: number;
  more: number;
}

/**
 * Returns the statements of PostgreSQL that read more rows when each table has several times as many: half of the further
 * rows belong to the accounts that there are. Fills the tables, so the caller undoes the transaction.
 */
export async function growingReads(tx: Transaction, statements: readonly Statement[]): Promise<Growth[]> {
  const tables = await filledTables(tx, statements);
  await fill(tx, tables, { from: 1, rows: FEW_ROWS });
  const few = await readsOf(tx, statements);
  await fill(tx, tables, { from: FEW_ROWS, rows: FEW_ROWS * TIMES_MORE });
  const more = await readsOf(tx, statements);
  return statements
    .map(({ sql }, index) => ({ sql, few: few[index]!, more: more[index]! }))
    .filter((growth) => growth.more > GROWTH_MAX * growth.few + ROWS_ASIDE);
}

/** A table with what its further rows have in place of the columns of one that there is. */
interface FilledTable {
  name: string;
  rows: number;
  columns: string;
  values: string;
}

async function filledTables(tx: Queries, statements: readonly Statement[]): Promise<FilledTable[]> {
  const tables = await tx.all<Omit<FilledTable, 'rows'>>(`
    SELECT name, string_agg(column_name, ', ') AS columns,
      string_agg(CASE WHEN is_account THEN column_name || ' || CASE WHEN n % 2 = 0 THEN n::text ELSE '''' END'
        WHEN is_key THEN column_name || ' || n' ELSE column_name END, ', ') AS "values"
    FROM (SELECT c.table_name::text AS name, c.column_name::text,
        c.table_name <> 'accounts' AND (c.column_name LIKE '%account_id' OR c.column_name = 'platform_id') AS is_account,
        data_type = 'text' AND (c.column_name LIKE '%id' OR EXISTS (
          SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
          WHERE i.indrelid = c.table_name::regclass AND i.indisunique AND a.attname = c.column_name)) AS is_key
      FROM information_schema.columns c WHERE table_schema = 'public' AND is_identity = 'NO') AS listed
    GROUP BY name ORDER BY name`);
  const filled: FilledTable[] = [];
  for (const table of tables) {
    await tx.run(`CREATE TEMP TABLE own_${table.name} ON COMMIT DROP AS SELECT * FROM ${table.name}`);
    const { rows } = (await tx.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table.name}`))!;
    filled.push({ ...table, rows });
  }
  const isMentioned = (table: string) => statements.some(({ sql }) => new RegExp(`\\b${table}\\b`).test(sql));
  const empty = filled
    .filter(({ name, rows }) => rows === 0 && !(name in EMPTY) && isMentioned(name))
    .map(({ name }) => name);
  if (empty.length > 0) throw new Error(`nothing to measure in ${empty.join(', ')}`);
  return filled.filter(({ rows }) => rows > 0);
}

async function fill(
  tx: Queries,
  tables: readonly FilledTable[],
  { from, rows }: { from: number; rows: number },
): Promise<void> {
  for (const table of tables) {
    const copies = `generate_series(${Math.ceil(from / table.rows)}, ${Math.ceil(rows / table.rows)}) n`;
    await tx.run(
      `INSERT INTO ${table.name} (${table.columns}) SELECT ${table.values}
       FROM own_${table.name}, ${copies} ON CONFLICT DO NOTHING`,
    );
    await tx.run(`ANALYZE ${table.name}`);
  }
}

/** Returns how many rows each statement reads. */
async function readsOf(tx: Transaction, statements: readonly Statement[]): Promise<number[]> {
  const reads: number[] = [];
  for (const { sql, parameters } of statements) {
    const changes = !/^\s*SELECT/i.test(sql);
    if (changes) tx.send('SAVEPOINT measured');
    reads.push(
      rowsReadIn(await planOf(tx, { sql, parameters, options: 'ANALYZE, TIMING OFF, FORMAT JSON' })),
    );
    if (changes) tx.send('ROLLBACK TO SAVEPOINT measured');
  }
  return reads;
}

function rowsReadIn(plan: PlanNode): number {
  const rowsOf = (node: PlanNode) => {
    if (node['Relation Name'] === undefined || !node['Node Type'].includes('Scan')) return 0;
    return (node['Actual Rows']! + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']!;
  };
  return nodesOf(plan).reduce((sum, node) => sum + rowsOf(node), 0);
}
