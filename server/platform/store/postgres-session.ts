import type { Queries, Row, SqlValue } from './store.ts';
import { isReadOnly } from './transaction.ts';

interface Client {
  query(text: string): Promise<{ command: string }>;
  release(destroy: boolean): void;
}

interface SessionParts<C extends Client> {
  checkOut(): Promise<C>;
  queriesOf(client: C): Queries;
  /** Returns what begins the transaction, once there is a connection. */
  begin(): string;
  /** Takes the reads before the first statement that writes or locks; unless given, the transaction begins with the first. */
  reads?: Queries | undefined;
}

/** The connection of one transaction, which is taken when a statement needs it. */
export interface Session {
  queries: Queries;
  /** Sends a lock: with what begins the transaction, unless it has begun. */
  sendLock(lock: string): Promise<unknown>;
  /** Locks a table against a reset, unless a statement has been sent that writes or locks, whose table then is. */
  lockTable(table: string): Promise<unknown>;
  /**
   * Commits the transaction if it has begun. Returns false when PostgreSQL undid it instead, since a statement that was
   * not waited for had failed.
   * @throws what the connection throws
   */
  commit(): Promise<boolean>;
  /** Undoes the transaction if it has begun, and gives the connection back. */
  rollback(): Promise<void>;
  /** Gives the connection back after a commit. */
  release(): void;
}

const LOCKS_ROW = /\bFOR (?:NO KEY )?UPDATE\b/;
/** Statements that need a transaction though they begin with SELECT. */
const LOCKS = new RegExp(`${LOCKS_ROW.source}|\\bpg_advisory_`);

/**
 * Returns a session for a transaction. At READ COMMITTED what is read before the first write or lock is as committed
 * then, in a transaction or not, so that it is sent with the reads of others; the statements that begin the transaction
 * are sent with that write, and all that is not waited for with the commit.
 */
export function createSession<C extends Client>({
  checkOut,
  queriesOf,
  begin,
  reads,
}: SessionParts<C>): Session {
  interface Begun {
    client: C;
    queries: Queries;
    /** Ends with the statements that begin the transaction. */
    sent: Promise<unknown>;
  }
  let begun: Promise<Begun> | undefined;
  let locked = false;

  async function beginning(lock?: string): Promise<Begun> {
    const client = await checkOut();
    const queries = queriesOf(client);
    const sent = lock === undefined ? client.query(begin()) : queries.run(`${begin()}; ${lock}`);
    // Not awaited: when one fails, so does the statement after it.
    sent.catch(() => undefined);
    return { client, queries, sent };
  }

  // What is sent while the connection is awaited is sent in the order of the calls, the commit after all of it: they are
  // called back by one promise.
  function send<T>(sql: string, use: (begun: Begun) => Promise<T>): Promise<T> {
    locked ||= !isReadOnly(sql) || LOCKS_ROW.test(sql);
    begun ??= beginning();
    return begun.then(use);
  }

  // Not an async function, whose result would fail later than the statement that is sent next, which fails with it.
  function sendLock(lock: string): Promise<unknown> {
    if (begun) return send(lock, ({ queries }) => queries.run(lock));
    locked = true;
    begun = beginning(lock);
    return begun.then(({ sent }) => sent);
  }

  const isEarly = (sql: string) => begun === undefined && isReadOnly(sql) && !LOCKS.test(sql);

  return {
    queries: {
      get: <R extends Row>(sql: string, ...values: SqlValue[]) =>
        reads && isEarly(sql)
          ? reads.get<R>(sql, ...values)
          : send(sql, ({ queries }) => queries.get<R>(sql, ...values)),
      all: <R extends Row>(sql: string, ...values: SqlValue[]) =>
        reads && isEarly(sql)
          ? reads.all<R>(sql, ...values)
          : send(sql, ({ queries }) => queries.all<R>(sql, ...values)),
      run: (sql, ...values) => send(sql, ({ queries }) => queries.run(sql, ...values)),
    },
    sendLock,
    lockTable: (table) =>
      locked ? Promise.resolve() : sendLock(`LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`),
    async commit() {
      if (!begun) return true;
      const { command } = await send('COMMIT', ({ client }) => client.query('COMMIT'));
      return command === 'COMMIT';
    },
    async rollback() {
      const client = await begun?.then(
        (known) => known.client,
        () => undefined,
      );
      await client?.query('ROLLBACK').then(
        () => client.release(false),
        () => client.release(true),
      );
    },
    release: () => void begun?.then(({ client }) => client.release(false)),
  };
}
