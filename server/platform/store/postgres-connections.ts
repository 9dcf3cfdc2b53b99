import type { Writable } from 'node:stream';
import pg from 'pg';
import { monotonicMs } from '../../../protocol/clock.ts';
import { errorCode, Fault, messageOf } from '../../../protocol/failures.ts';
import { RefusedValue, UniqueViolation } from './store.ts';
import { numberPlaceholders, statementNames, type Statement } from './placeholders.ts';
import { createPlanAge, type PlanAge } from './plan-age.ts';

// SQLSTATE, PostgreSQL Appendix A.
const SERIALIZATION_CODES = ['40001', '40P01']; // serialization_failure, deadlock_detected
const UNIQUE_VIOLATION = '23505';
const DIVISION_BY_ZERO = '22012';

/** Returns true when the server responded with an error; false when it could not be reached. */
export function isRefusal(thrown: unknown): thrown is pg.DatabaseError {
  return thrown instanceof pg.DatabaseError && thrown.code !== undefined;
}

/** Returns true when a statement divided by zero, which only a change of one row does that finds none (postgres.ts). */
export function isMissedChange(thrown: unknown): boolean {
  return isRefusal(thrown) && thrown.code === DIVISION_BY_ZERO;
}

/** Returns true for the translated error of a transaction that PostgreSQL undid because of another: it can be repeated. */
export function isConflict(failure: unknown): boolean {
  const cause = failure instanceof Fault ? failure.cause : undefined;
  return isRefusal(cause) && SERIALIZATION_CODES.includes(cause.code!);
}

/** Returns the error of the store port for one of PostgreSQL. */
export function translate(thrown: unknown): Error {
  if (thrown instanceof Fault) return thrown;
  if (!isRefusal(thrown)) {
    const reason = messageOf(thrown) || errorCode(thrown);
    return new Fault('store', `PostgreSQL cannot be asked: ${reason}`, { cause: thrown });
  }
  const { code, message, table, constraint } = thrown;
  if (code === UNIQUE_VIOLATION) return new UniqueViolation(`unique index ${constraint} of ${table}`);
  // Errors of classes 22 and 23 quote the rejected values, which must not be logged, so the cause is left out.
  if (/^2[23]/.test(code!)) return new RefusedValue(`PostgreSQL ${code} ${constraint ?? ''}`.trimEnd());
  return new Fault('store', `PostgreSQL ${code}: ${message}`, { cause: thrown });
}

const { Client, Pool, types } = pg;

/** Connections at most, unless given; the default of DATABASE_CONNECTIONS. */
const CONNECTIONS_MAX = 16;

// An unreachable server, a statement behind a forgotten lock, a client that stalled inside a transaction: each ends as
// a fault before an HTTP caller times out after 25 s.
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;

/** Settings that a connection of our own keeps. */
const SESSION_SETTINGS: pg.ClientConfig = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  // Otherwise PostgreSQL takes the plan of a page for worse than a new one, and plans it again each time: four times as
  // long as it takes to read it. Each statement has an index for whatever values (test/kit/query-plans.ts), and a plan
  // that reads a small table whole would be kept while the table grows. Where nothing else is possible, the cost of a plan
  // without `enable_seqscan` would have PostgreSQL compile the statement.
  options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off',
};

// int8 and numeric (the sum of int8) arrive as text, since they can exceed what a double holds exactly.
const NUMBER_OIDS = [20, 1700];

/** Connections of this process to a database. Stores of several schemas can share them. */
export interface Connections {
  /**
   * Takes a connection, to be released. Tables without a schema in their name are those of `schema`; unless it is
   * given, those of the URL's or user's search path.
   * @throws Fault `store` when the server does not respond
   */
  checkOut(schema: string | undefined): Promise<pg.PoolClient>;
  /** Returns the statements that a transaction begins with, for what its connection does not keep. */
  transactionSettings(schema: string | undefined): string[];
  /** Whether anyone waits for a connection, since all are checked out. */
  isAwaited(): boolean;
  /** Returns the text of a statement, and the name under which the connections keep it prepared. */
  statement(sql: string): Statement;
  close(): Promise<void>;
}

export function openConnections(url: string, max = CONNECTIONS_MAX): Connections {
  const settings = connection(url);
  let opening: Promise<void> | undefined;
  let pool: pg.Pool | undefined;
  let throughPooler = false;
  const schemas = new WeakMap<pg.PoolClient, string>();
  const ages = new WeakMap<pg.PoolClient, PlanAge>();
  const names = statementNames();

  async function open(): Promise<void> {
    throughPooler = await isThroughPooler(new Client(settings));
    pool = new Pool({ ...settings, ...(!throughPooler && SESSION_SETTINGS), max });
    // An idle connection that the server closes is replaced at the next use; one in use also fails its query.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => {
      client.on('error', () => undefined);
      gatherWrites(streamOf(client));
    });
  }

  async function opened(): Promise<pg.Pool> {
    opening ??= open().catch((thrown: unknown) => {
      opening = undefined;
      throw thrown;
    });
    await opening;
    return pool!;
  }

  function discardOldPlans(client: pg.PoolClient): void {
    const age = ages.get(client);
    if (!age) ages.set(client, createPlanAge(monotonicMs()));
    // Not awaited: it is answered before the statements that follow.
    else if (age.isOver(monotonicMs())) client.query('DISCARD PLANS').catch(() => undefined);
  }

  return {
    async checkOut(schema) {
      let client: pg.PoolClient | undefined;
      try {
        client = await (pool ?? (await opened())).connect();
        if (throughPooler) return client;
        if (schemas.get(client) === schema) {
          discardOldPlans(client);
          return client;
        }
        // Awaited: no statement runs in the schema of another store.
        await client.query(
          schema === undefined ? 'RESET search_path' : `SET search_path TO ${quoted(schema)}`,
        );
        if (schema === undefined) schemas.delete(client);
        else schemas.set(client, schema);
        ages.set(client, createPlanAge(monotonicMs()));
        return client;
      } catch (thrown) {
        client?.release(true);
        throw translate(thrown);
      }
    },
    isAwaited: () => pool !== undefined && pool.waitingCount > 0,
    transactionSettings: (schema) => (throughPooler ? settingsOfTransaction(schema) : []),
    statement: (sql) => (throughPooler ? { text: numberPlaceholders(sql) } : names(sql)),
    async close() {
      await opening?.catch(() => undefined);
      await pool?.end();
    },
  };
}

/** Returns the socket of a connection that is open, which the types of the driver leave out. */
function streamOf(client: pg.PoolClient): Writable {
  const { stream }: { stream: Writable } = Reflect.get(client, 'connection');
  return stream;
}

/**
 * Lets a stream send what is written to it in one turn of the event loop by one call of the system. The statements of a
 * transaction that are sent without waiting in between would otherwise each cost a call, and each wake the server.
 */
export function gatherWrites(stream: Writable): void {
  const write = stream.write.bind(stream);
  let gathering = false;
  function send(): void {
    gathering = false;
    stream.uncork();
  }
  stream.write = (...parts: unknown[]): boolean => {
    if (!gathering) {
      gathering = true;
      stream.cork();
      // After the promises of this turn, whose bodies send the next statements.
      process.nextTick(send);
    }
    return Reflect.apply(write, stream, parts);
  };
}

/** Returns what a session would keep, for one transaction. */
function settingsOfTransaction(schema: string | undefined): string[] {
  return [
    `SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`,
    ...(schema === undefined ? [] : [`SET LOCAL search_path TO ${quoted(schema)}`]),
  ];
}

/** Returns a name as SQL takes it, whatever characters it has. */
export function quoted(name: string): string {
  return pg.escapeIdentifier(name);
}

/** Returns the settings of each connection, also through a pooler. @throws Fault `bad_setting` for an invalid URL */
export function connection(url: string): pg.ClientConfig {
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

/** A connection that is not open yet. */
interface NewClient {
  connect(): Promise<unknown>;
  query(text: string): Promise<{ rows: { pid?: unknown }[] }>;
  end(): Promise<void>;
  on(event: 'error', ignore: () => void): unknown;
  /** The process that requests to cancel name. */
  processID?: number | null;
}

/**
 * Opens and closes a connection, and returns whether it goes through a pooler such as PgBouncer, which may give each
 * transaction to another connection of PostgreSQL: settings, prepared statements and locks of a session would be those of
 * any client. A pooler names a process of its own.
 * @throws what the connection throws
 */
async function isThroughPooler(client: NewClient): Promise<boolean> {
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid !== client.processID;
  } finally {
    await client.end().catch(() => undefined);
  }
}
