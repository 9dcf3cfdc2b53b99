import type { Queries, SqlValue, Store, Transaction } from '../../server/platform/store/store.ts';
import { growingReads } from './rows-read.ts';
import { nodesOf, planOf } from './postgres-plan.ts';

/** A store that records its statements, to check their query plans. */
export interface RecordingStore {
  store: Store;
  /** Returns the number of different statements. */
  statementCount(): number;
  /**
   * Returns statements that scan a table or index, or sort, as `list: step: statement`: their cost grows with the number of
   * objects. Statements and steps that match one of `allowed` are left out.
   */
  slowStatements(allowed?: readonly (readonly [RegExp, string])[]): Promise<string[]>;
  /**
   * Returns statements that read more rows when the tables have more, as `list: rows: statement`. Those that match one of
   * `allowed` are left out. Only PostgreSQL counts the rows that it reads.
   */
  growingStatements(allowed: readonly (readonly [RegExp, string])[]): Promise<string[]>;
  /** Names the list whose statements follow. */
  readsList(name: string): void;
}

export function recordQueries(store: Store): RecordingStore {
  const statements = new Map<string, { list: string; first: SqlValue[]; last: SqlValue[] }>();
  let list = 'before any list';
  const note = (sql: string, parameters: SqlValue[]) => {
    const known = statements.get(sql);
    statements.set(sql, { list, first: parameters, ...known, last: parameters });
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
        for (const [sql, { first, list: of }] of statements) {
          const tidy = textOf(sql);
          if (!isPlanned(tidy)) continue;
          if (allowed.some(([statement]) => statement.test(tidy))) continue;
          const steps = await explain(tx, sql, first);
          // A time window on a list ordered by `seq` would read all rows outside the window.
          if (
            /created_ms (>=|<) \?.* ORDER BY seq/.test(tidy) &&
            !/\bseq ([<>] COALESCE|>= \? AND seq <=)/.test(tidy)
          )
            steps.push('reads outside of its window');
          const long = steps
            .filter((step) => !small.some((index) => step.endsWith(` ${index}`)))
            .map((step) => `${step}: ${tidy}`)
            .filter((step) => !allowed.some(([pattern]) => pattern.test(step)));
          found.push(...long.map((step) => `${of}: ${step}`));
        }
      });
      return found;
    },
    async growingStatements(allowed) {
      const asked = [...statements].flatMap(([sql, { last: parameters }]) =>
        isPlanned(textOf(sql)) ? [{ sql, parameters }] : [],
      );
      const growing: string[] = [];
      await undone(store, async (tx) => {
        for (const { sql, few, more } of await growingReads(tx, asked))
          growing.push(`${statements.get(sql)!.list}: ${few} rows, then ${more}: ${textOf(sql)}`);
      });
      return growing.filter((each) => !allowed.some(([pattern]) => pattern.test(each)));
    },
    readsList(name) {
      list = name;
    },
  };
}

function textOf(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim();
}

function isPlanned(text: string): boolean {
  return /^(SELECT|WITH|UPDATE|DELETE)\b/i.test(text);
}

class Undo extends Error {}

async function undone(store: Store, body: (tx: Transaction) => Promise<void>): Promise<void> {
  const tables = store.engine === 'postgres' ? await tablesOf(store) : [];
  const transaction = store.transaction(async (tx) => {
    // What the server does by itself waits meanwhile.
    if (tables.length > 0) await tx.run(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
    await body(tx);
    throw new Undo();
  });
  await transaction.catch((thrown: unknown) => {
    if (!(thrown instanceof Undo)) throw thrown;
  });
}

async function tablesOf(queries: Queries): Promise<string[]> {
  const rows = await queries.all<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** https://sqlite.org/eqp.html: SEARCH finds by an index, SCAN reads all of a table or an index. */
async function sqliteSteps(tx: Queries, sql: string, parameters: SqlValue[]): Promise<string[]> {
  const rows = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters);
  return rows
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (?!CONSTANT ROW|\()/.test(detail) || detail.includes('TEMP B-TREE'));
}

/** The plan that is kept for whatever values, as servers run it (postgres-connections.ts). */
async function postgresSteps(tx: Transaction, sql: string, parameters: SqlValue[]): Promise<string[]> {
  const plan = await planOf(tx, { sql, parameters, options: 'FORMAT JSON' });
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
