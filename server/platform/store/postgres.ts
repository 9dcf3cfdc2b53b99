import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { ROW_LOCKS, type LockedTable } from './guards.ts';
import { createInFlightTracker } from './in-flight-tracker.ts';
import type { Statement } from './placeholders.ts';
import {
  connection,
  openConnections,
  type Connections,
  isConflict,
  isMissedChange,
  isRefusal,
  translate,
} from './postgres-connections.ts';
import { createReads } from './postgres-reads.ts';
import { createSession, type Session } from './postgres-session.ts';
import type { Queries, Row, SqlValue, Store, Transaction, TransactionOptions } from './store.ts';
import { openTransaction, isReadOnly, runEffects, type Decisions } from './transaction.ts';
import { createWorkGate } from './work-gate.ts';

const { Client } = pg;

// Of transactions that conflict over the same rows, one commits in every round, and most conflicts are over after two.
// One that failed four times runs alone, so that it conflicts with those of other instances only; one that fails fifty
// more times has another problem.
const ATTEMPTS_BESIDE_OTHERS = 4;
const ATTEMPTS_ALONE = 50;

/** An arbitrary number, the same in every version: the instance that holds the lock migrates. */
const MIGRATION_LOCK = 7_203_114;

/** Takes a lock that ends with the transaction. Sandboxes are schemas of one database, and have locks of their own. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || ?, 0))`;

/** Takes a lock of the table that a reset locks first. */
const RESET_LOCK = `LOCK TABLE ${ROW_LOCKS[0]} IN ROW SHARE MODE`;

const rowLock = (table: LockedTable) => `SELECT 1 FROM ${table} WHERE id = ? FOR NO KEY UPDATE`;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; never logged. */
  url: string;
  log: Log;
  /** Connections at most. */
  connectionsMax?: number | undefined;
}

/**
 * Opens the store on a PostgreSQL server. Transactions that name no guards are SERIALIZABLE, the only level that by itself
 * guarantees what `Store.transaction` promises: each runs as if no other did. At lower levels, two transactions that each
 * read what the other writes can both commit, unless a guard keeps them apart. Transactions that fail to serialize are
 * retried here.
 * @throws Fault `bad_setting` for an invalid URL, `store` when the server does not respond.
 */
export async function openPostgres({ url, log, connectionsMax }: PostgresOptions): Promise<Store> {
  const connections = openConnections(url, connectionsMax);
  const store = storeOver(connections, { log, close: connections.close });
  try {
    await store.get('SELECT 1');
  } catch (thrown) {
    await connections.close();
    throw new Fault('store', `DATABASE_URL: ${messageOf(thrown)}`, { cause: thrown });
  }
  return store;
}

/** Stores in the schemas of a database. They share connections, so that their number does not limit that of stores. */
export interface SchemaStores {
  /** Returns a store whose tables are those of a schema; of the schema of the URL or user unless given. */
  store(schema?: string): Store;
  /** Closes the connections, which no store uses any more. */
  close(): Promise<void>;
}

/** Opens nothing until a store is used. @throws Fault `bad_setting` for an invalid URL */
export function openSchemas({ url, log, connectionsMax }: PostgresOptions): SchemaStores {
  const connections = openConnections(url, connectionsMax);
  return {
    store: (schema) => storeOver(connections, { schema, log, close: async () => {} }),
    close: connections.close,
  };
}

interface StoreParts {
  schema?: string | undefined;
  log: Log;
  /** Called once, when the last query has ended. */
  close(): Promise<void>;
}

function storeOver(
  { checkOut, isAwaited, statement, transactionSettings }: Connections,
  { schema, log, close }: StoreParts,
): Store {
  async function tried<T>(
    body: (tx: Transaction) => Promise<T>,
    options: TransactionOptions | undefined,
    decisions: Decisions,
  ): Promise<Attempt<T>> {
    const { guardedBy, delayedDurability } = options ?? {};
    const session = createSession<pg.PoolClient>({
      checkOut: () => checkOut(schema),
      queriesOf: (client) => queriesOf(client, statement),
      begin: () =>
        [
          `BEGIN ISOLATION LEVEL ${guardedBy ? 'READ COMMITTED' : 'SERIALIZABLE'}`,
          ...transactionSettings(schema),
          ...(delayedDurability ? ['SET LOCAL synchronous_commit TO off'] : []),
        ].join('; '),
      ...(guardedBy && { reads: sharedReads }),
    });
    const ending = await attempt(session, { body, decisions }, options);
    if ('value' in ending) runEffects(ending.effects, log);
    return ending;
  }

  const attempts = createWorkGate();
  async function transaction<T>(
    body: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    const decisions: Decisions = new Map();
    const once = () => tried(body, options, decisions);
    let ending: Attempt<T>;
    if (options?.guardedBy) ending = await repeated(once, ATTEMPTS_ALONE);
    else {
      ending = await repeated(() => attempts.beside(once), ATTEMPTS_BESIDE_OTHERS);
      if (isSerializationFailure(ending)) ending = await attempts.alone(() => repeated(once, ATTEMPTS_ALONE));
    }
    if ('value' in ending) return ending.value;
    throw ending.thrown;
  }

  // A single read sees only committed rows without a transaction.
  const reads = createReads({ checkOut: () => checkOut(schema), isAwaited });
  const read = <T>(query: (queries: Queries) => Promise<T>) =>
    reads((client) => {
      const queries = queriesOf(client, statement);
      const settings = transactionSettings(schema);
      return settings.length === 0
        ? query(queries)
        : readInTransaction(client, settings, () => query(queries));
    });
  const sharedReads = readQueries(read);

  const gate = createInFlightTracker();
  return {
    engine: 'postgres',
    get: <R extends Row>(sql: string, ...parameters: SqlValue[]) => {
      const query = (queries: Queries) => queries.get<R>(sql, ...parameters);
      return gate.pass(() => (isReadOnly(sql) ? read(query) : transaction(query)));
    },
    all: <R extends Row>(sql: string, ...parameters: SqlValue[]) => {
      const query = (queries: Queries) => queries.all<R>(sql, ...parameters);
      return gate.pass(() => (isReadOnly(sql) ? read(query) : transaction(query)));
    },
    run: (sql, ...parameters) => gate.pass(() => transaction((tx) => tx.run(sql, ...parameters))),
    transaction: (body, options) => gate.pass(() => transaction(body, options)),
    async close() {
      if (await gate.close()) await close();
    },
  };
}

/**
 * Runs `body` while no other instance runs one on the same database.
 * @throws Fault `store` when the server does not respond.
 */
export async function withDatabaseLock<T>(url: string, body: () => Promise<T>): Promise<T> {
  const client = new Client(connection(url));
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Of a transaction, since a session is not always one of PostgreSQL's; it ends with the connection at the latest.
    await client.query('BEGIN');
    // Waits as long as the other instance takes, and is held as long as the body takes.
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  } catch (thrown) {
    await client.end();
    throw translate(thrown);
  }
  try {
    return await body();
  } finally {
    await client.query('COMMIT').catch(() => undefined);
    await client.end();
  }
}

type Attempt<T> = { value: T; effects: (() => void)[] } | { thrown: unknown; failure: unknown };

async function attempt<T>(
  session: Session,
  { body, decisions }: { body: (tx: Transaction) => Promise<T>; decisions: Decisions },
  { guardedBy }: TransactionOptions = {},
): Promise<Attempt<T>> {
  const { queries } = session;
  const takeLock = (name: string) => queries.get(LOCK, name);
  const takeRowLock = (table: LockedTable, id: string) => queries.get(rowLock(table), id);
  const open = openTransaction(queries, {
    decisions,
    guarded: guardedBy !== undefined,
    takeLock,
    takeRowLock,
    takeResetLock: () => session.sendLock(RESET_LOCK),
    batchesWrites: true,
    takeWriteLock: session.lockTable,
  });
  try {
    const value = await body(open.tx);
    await open.settle();
    if (open.failure() !== undefined) throw open.failure();
    const effects = open.end();
    if (!(await commit(session))) {
      // The failure came before the answer to the commit, and its handlers run in this turn.
      await nextTurn();
      throw open.failure() ?? new Fault('store', 'PostgreSQL undid a transaction at its commit');
    }
    session.release();
    return { value, effects };
  } catch (thrown) {
    open.end();
    await session.rollback();
    return { thrown, failure: open.failure() ?? thrown };
  }
}

async function commit(session: Session): Promise<boolean> {
  try {
    return await session.commit();
  } catch (thrown) {
    // A fault means that there was no connection to begin on.
    if (thrown instanceof Fault || isRefusal(thrown)) throw translate(thrown);
    throw new Fault('store', 'the connection was lost at a commit, which may stand or not', {
      cause: thrown,
    });
  }
}

/** Sends a read between the begin and the end of a transaction, without waiting in between. */
async function readInTransaction<T>(
  client: pg.PoolClient,
  settings: readonly string[],
  read: () => Promise<T>,
): Promise<T> {
  client.query(['BEGIN', ...settings].join('; ')).catch(() => undefined);
  const [value] = await Promise.all([read(), client.query('COMMIT')]);
  return value;
}

function readQueries(read: <T>(query: (queries: Queries) => Promise<T>) => Promise<T>): Queries {
  return {
    get: <R extends Row>(sql: string, ...values: SqlValue[]) =>
      read((queries) => queries.get<R>(sql, ...values)),
    all: <R extends Row>(sql: string, ...values: SqlValue[]) =>
      read((queries) => queries.all<R>(sql, ...values)),
    run: () => Promise.reject(new Fault('internal', 'a write was sent as a read')),
  };
}

function queriesOf(client: pg.PoolClient, statement: (sql: string) => Statement): Queries {
  async function query(sql: string, values: SqlValue[]): Promise<pg.QueryResult<Row>> {
    try {
      return await client.query<Row>({ ...statement(sql), values });
    } catch (thrown) {
      if (isMissedChange(thrown)) throw new Fault('internal', `0 rows changed: ${sql}`);
      throw translate(thrown);
    }
  }
  return {
    get: async <R extends Row>(sql: string, ...values: SqlValue[]) =>
      (await query(sql, values)).rows[0] as R | undefined,
    all: async <R extends Row>(sql: string, ...values: SqlValue[]) => (await query(sql, values)).rows as R[],
    run: async (sql, ...values) => ({ changes: (await query(sql, values)).rowCount ?? 0 }),
  };
}

/** Repeats an attempt that conflicted with another transaction, at most `times` times in all. */
async function repeated<T>(attemptOnce: () => Promise<Attempt<T>>, times: number): Promise<Attempt<T>> {
  let ending = await attemptOnce();
  for (let tried = 1; tried < times && isSerializationFailure(ending); tried += 1)
    ending = await attemptOnce();
  return ending;
}

function isSerializationFailure(ending: Attempt<unknown>): boolean {
  return 'failure' in ending && isConflict(ending.failure);
}
