import pg from 'pg';
import { numberPlaceholders } from '../../server/platform/store/placeholders.ts';
import type { Queries, SqlValue, Store, Transaction } from '../../server/platform/store/store.ts';

/** A store that records its statements, to check their query plans. */
export interface RecordingStore {
  store: Store;
  /** Returns the number of different statements. */
  statementCount(): number;
  /**
   * Returns statements that scan a table or index, or sort, as `step: statement`: their cost grows with the number of
   * objects. Statements that match one of `allowed` are left out.
   */
  slowStatements(allowed?: readonly (readonly [RegExp, string])[]): Promise<string[]>;
}

export function recordQueries(store: Store): RecordingStore {
  const statements = new Map<string, SqlValue[]>();
  const note = (sql: string, parameters: SqlValue[]) => {
    if (!statements.has(sql)) statements.set(sql, parameters);
  };
  const noting = <Q extends Queries>(queries: Q): Queries => ({
    get: (sql, ...parameters) => (note(sql, parameters), queries.get(sql, ...parameters)),
    all: (sql, ...parameters) => (note(sql, parameters), queries.all(sql, ...parameters)),
    run: (sql, ...parameters) => (note(sql, parameters), queries.run(sql, ...parameters)),
  });
  return {
    store: {
      ...noting(store),
      engine: store.engine,
      transaction: (body, options) =>
        store.transaction((tx) => {
          const send: Transaction['send'] = (sql, ...parameters) => (
            note(sql, parameters),
            tx.send(sql, ...parameters)
          );
          const sendChange: Transaction['sendChange'] = (sql, ...parameters) => (
            note(sql, parameters),
            tx.sendChange(sql, ...parameters)
          );
          return body({ ...tx, ...noting(tx), send, sendChange });
        }, options),
      close: () => store.close(),
    },
    statementCount: () => statements.size,
    async slowStatements(allowed = []) {
      const found: string[] = [];
      const explain = store.engine === 'sqlite' ? sqliteSteps : postgresSteps;
      await undone(store, async (tx) => {
        const small = store.engine === 'postgres' ? await partialIndexes(tx) : [];
        if (store.engine === 'postgres') await enlarge(tx);
        for (const [sql, parameters] of statements) {
          const tidy = sql.replace(/\s+/g, ' ').trim();
          if (!/^(SELECT|WITH|UPDATE|DELETE)\b/i.test(tidy)) continue;
          if (allowed.some(([statement]) => statement.test(tidy))) continue;
          const steps = await explain(tx, sql, parameters);
          // A time window on a list ordered by `seq` would read all rows outside the window.
          if (/created_ms (>=|<) \?.* ORDER BY seq/.test(tidy) && !/\bseq [<>] COALESCE/.test(tidy))
            steps.push('reads outside of its window');
          const long = steps.filter((step) => !small.some((index) => step.endsWith(` ${index}`)));
          found.push(...long.map((step) => `${step}: ${tidy}`));
        }
      });
      return found;
    },
  };
}

class Undo extends Error {}

async function undone(store: Store, body: (tx: Transaction) => Promise<void>): Promise<void> {
  const transaction = store.transaction(async (tx) => {
    await body(tx);
    throw new Undo();
  });
  await transaction.catch((thrown: unknown) => {
    if (!(thrown instanceof Undo)) throw thrown;
  });
}

/** https://sqlite.org/eqp.html: SEARCH finds by an index, SCAN reads all of a table or an index. */
async function sqliteSteps(tx: Queries, sql: string, parameters: SqlValue[]): Promise<string[]> {
  const rows = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters);
  return rows
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (?!CONSTANT ROW|\()/.test(detail) || detail.includes('TEMP B-TREE'));
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** The plan that is kept for whatever values, as servers run it (postgres-connections.ts). */
async function postgresSteps(tx: Queries, sql: string, parameters: SqlValue[]): Promise<string[]> {
  await tx.run(`PREPARE planned AS ${numberPlaceholders(sql)}`);
  const values = parameters.map((value) =>
    typeof value === 'string' ? pg.escapeLiteral(value) : (value ?? 'NULL'),
  );
  const row = await tx.get(
    `EXPLAIN (FORMAT JSON) EXECUTE planned${values.length > 0 ? ` (${values.join(', ')})` : ''}`,
  );
  await tx.run('DEALLOCATE planned');
  const [{ Plan: plan }] = row!['QUERY PLAN'] as unknown as [{ Plan: PlanNode }];
  return nodesOf(plan).flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': table = '' } = node;
    const whole = type === 'Seq Scan' || (type.startsWith('Index') && node['Index Cond'] === undefined);
    return whole || type.includes('Sort') ? [`${type} ${table} ${node['Index Name'] ?? ''}`.trim()] : [];
  });
}

/** Scanning a partial index with few rows is allowed. */
async function partialIndexes(tx: Queries): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL`,
  );
  return rows.map(({ name }) => name);
}

const COPIES = 1_000;

/**
 * PostgreSQL scans a small table whatever its indexes. So each table gets thousands of rows of other accounts, and the
 * planner settings make scans and sorts expensive: a plan that still has one has no index to use (PostgreSQL 20.7.1).
 */
async function enlarge(tx: Transaction): Promise<void> {
  const columns = await tx.all<{ table: string; columns: string; values: string }>(`
    SELECT c.table_name AS "table", string_agg(c.column_name, ', ') AS columns,
      string_agg(CASE WHEN data_type = 'text' AND (c.column_name LIKE '%id' OR EXISTS (
        SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
        WHERE i.indrelid = c.table_name::regclass AND i.indisunique AND a.attname = c.column_name))
        THEN c.column_name || ' || n' ELSE c.column_name END, ', ') AS values
    FROM information_schema.columns c
    WHERE table_schema = 'public' AND is_identity = 'NO' GROUP BY c.table_name`);
  for (const { table, columns: names, values } of columns) {
    await tx.run(`CREATE TEMP TABLE few_${table} ON COMMIT DROP AS SELECT * FROM ${table} LIMIT 5`);
    await tx.run(`DELETE FROM ${table}`);
    await tx.run(
      `INSERT INTO ${table} (${names}) SELECT ${values} FROM few_${table}, generate_series(1, ${COPIES}) n
       ON CONFLICT DO NOTHING`,
    );
    await tx.run(`ANALYZE ${table}`);
  }
  for (const method of ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin'])
    await tx.run(`SET LOCAL enable_${method} = off`);
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
