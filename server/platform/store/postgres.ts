import pg from 'pg';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { createSerialQueue } from '../../../protocol/serial-queue.ts';
import { createInFlightTracker } from './in-flight-tracker.ts';
import { statementNames, type Statement } from './placeholders.ts';
import {
  UniqueViolation,
  type Queries,
  type Row,
  type SqlValue,
  type Store,
  type Transaction,
} from './store.ts';
import { openTransaction, isReadOnly, runEffects } from './transaction.ts';

const { Client, Pool, types } = pg;

/** Connections of one server; PostgreSQL allows a hundred by default, shared by all instances. */
const POOL_MAX = 16;

// Of transactions that conflict over the same rows, one commits in every round, and most conflicts are over after two.
// A transaction that failed four times continues in a queue, so that the unlucky ones do not block each other forever;
// one that fails fifty more times has another problem.
const FREE_ATTEMPTS = 4;
const ORDERLY_ATTEMPTS = 50;

// An unreachable server, a statement behind a forgotten lock, a client that stalled inside a transaction: each ends as
// a fault before an HTTP caller times out after 25 s.
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;

// SQLSTATE, PostgreSQL Appendix A.
const SERIALIZATION_CODES = ['40001', '40P01']; // serialization_failure, deadlock_detected
const UNIQUE_VIOLATION = '23505';

// int8 and numeric (the sum of int8) arrive as text, since they can exceed what a double holds exactly.
const NUMBER_OIDS = [20, 1700];

/** An arbitrary number, the same in every version: the instance that holds the lock migrates. */
const MIGRATION_LOCK = 7_203_114;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; never logged. */
  url: string;
  log: Log;
  poolMax?: number;
}

/**
 * Opens the store on a PostgreSQL server. Transactions are SERIALIZABLE, the only level that guarantees what
 * `Store.transaction` promises: each runs as if no other did. At lower levels, two transactions that each read what
 * the other writes can both commit. Transactions that fail to serialize are retried here.
 * @throws Fault `bad_setting` for an invalid URL, `store` when the server does not respond.
 */
export async function openPostgres({ url, log, poolMax = POOL_MAX }: PostgresOptions): Promise<Store> {
  const pool = new Pool({ ...connection(url), max: poolMax });
  // An idle connection that the server closes is replaced at the next use; one in use also fails its query.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const statement = statementNames();

  async function checkOut(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (thrown) {
      throw translate(thrown);
    }
  }

  async function tried<T>(body: (tx: Transaction) => Promise<T>): Promise<Attempt<T>> {
    const client = await checkOut();
    const ending = await attempt(client, queriesOf(client, statement), body);
    client.release(ending.broken);
    if ('value' in ending) runEffects(ending.effects, log);
    return ending;
  }

  async function repeated<T>(body: (tx: Transaction) => Promise<T>, times: number): Promise<Attempt<T>> {
    let ending = await tried(body);
    while (--times > 0 && isSerializationFailure(ending)) ending = await tried(body);
    return ending;
  }

  const oneAtATime = createSerialQueue();
  async function transaction<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    let ending = await repeated(body, FREE_ATTEMPTS);
    if (isSerializationFailure(ending)) ending = await oneAtATime(() => repeated(body, ORDERLY_ATTEMPTS));
    if ('value' in ending) return ending.value;
    throw ending.thrown;
  }

  // A single read sees only committed rows without a transaction, and takes a connection for one round trip only.
  const read = queriesOf(pool, statement);
  const gate = createInFlightTracker();
  const store: Store = {
    engine: 'postgres',
    get: (sql, ...parameters) =>
      gate.pass(() =>
        isReadOnly(sql) ? read.get(sql, ...parameters) : transaction((tx) => tx.get(sql, ...parameters)),
      ),
    all: (sql, ...parameters) =>
      gate.pass(() =>
        isReadOnly(sql) ? read.all(sql, ...parameters) : transaction((tx) => tx.all(sql, ...parameters)),
      ),
    run: (sql, ...parameters) => gate.pass(() => transaction((tx) => tx.run(sql, ...parameters))),
    transaction: (body) => gate.pass(() => transaction(body)),
    async close() {
      if (await gate.close()) await pool.end();
    },
  };
  try {
    await store.get('SELECT 1');
  } catch (thrown) {
    await pool.end();
    throw new Fault('store', `DATABASE_URL: ${messageOf(thrown)}`, { cause: thrown });
  }
  return store;
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
    // Waits as long as the other instance takes. The lock belongs to the session, so it ends with the connection.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  } catch (thrown) {
    await client.end();
    throw translate(thrown);
  }
  try {
    return await body();
  } finally {
    await client.end();
  }
}

type Attempt<T> = { broken: boolean } & (
  { value: T; effects: (() => void)[] } | { thrown: unknown; failure: unknown }
);

async function attempt<T>(
  client: pg.PoolClient,
  queries: Queries,
  body: (tx: Transaction) => Promise<T>,
): Promise<Attempt<T>> {
  // Not awaited: it is sent with the first query, and when it fails, that query fails too.
  client.query('BEGIN ISOLATION LEVEL SERIALIZABLE').catch(() => undefined);
  const open = openTransaction(queries);
  try {
    const value = await body(open.tx);
    await open.processCollected();
    if (open.failure() !== undefined) throw open.failure();
    const effects = open.end();
    await commit(client);
    return { value, effects, broken: false };
  } catch (thrown) {
    open.end();
    const broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    return { thrown, failure: open.failure() ?? thrown, broken };
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (thrown) {
    if (isRefusal(thrown)) throw translate(thrown);
    throw new Fault('store', 'the connection was lost at a commit, which may stand or not', {
      cause: thrown,
    });
  }
}

function connection(url: string): pg.ClientConfig {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw new Fault(
      'bad_setting',
      'DATABASE_URL is not of the form postgres://user:password@host:port/database',
    );
  }
  return {
    connectionString: url,
    application_name: 'tapbench',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    // Queries are sent without waiting for earlier responses and answered in order, so BEGIN costs no round trip.
    pipeline: true,
    types: { getTypeParser: typeParser },
  };
}

const typeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  NUMBER_OIDS.includes(oid) ? exactNumber : types.getTypeParser(oid, format);

function exactNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Fault('store', 'an integer of the database is larger than a number holds exactly');
  }
  return value;
}

function queriesOf(client: pg.PoolClient | pg.Pool, statement: (sql: string) => Statement): Queries {
  async function query(sql: string, values: SqlValue[]): Promise<pg.QueryResult<Row>> {
    try {
      return await client.query<Row>({ ...statement(sql), values });
    } catch (thrown) {
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

/** Returns true when the server responded with an error; false when it could not be reached. */
function isRefusal(thrown: unknown): thrown is pg.DatabaseError {
  return thrown instanceof pg.DatabaseError && thrown.code !== undefined;
}

function isSerializationFailure(ending: Attempt<unknown>): boolean {
  const cause = 'failure' in ending && ending.failure instanceof Fault ? ending.failure.cause : undefined;
  return isRefusal(cause) && SERIALIZATION_CODES.includes(cause.code!);
}

function translate(thrown: unknown): Error {
  if (thrown instanceof Fault) return thrown;
  if (!isRefusal(thrown)) {
    const reason = messageOf(thrown) || (thrown as NodeJS.ErrnoException).code;
    return new Fault('store', `PostgreSQL cannot be asked: ${reason}`, { cause: thrown });
  }
  const { code, message, table, constraint } = thrown;
  if (code === UNIQUE_VIOLATION) return new UniqueViolation(`unique index ${constraint} of ${table}`);
  // Errors of classes 22 and 23 quote the rejected values, which must not be logged, so the cause is left out.
  if (/^2[23]/.test(code!)) return new Fault('store', `PostgreSQL ${code} ${constraint ?? ''}`.trimEnd());
  return new Fault('store', `PostgreSQL ${code}: ${message}`, { cause: thrown });
}
