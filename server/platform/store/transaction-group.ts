import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { Queries, Transaction, TransactionOptions } from './store.ts';
import { isReadOnly, openTransaction, type Decisions } from './transaction.ts';

type Body = (tx: Transaction) => Promise<unknown>;

/** A transaction that was requested. */
export interface Waiting {
  body: Body;
  options: TransactionOptions;
  decisions: Decisions;
  resolve: (value: unknown) => void;
  reject: (thrown: unknown) => void;
}

/** The result of a body. Its caller gets it only once the group is on disk. */
type BodyResult = { effects: (() => void)[]; value: unknown } | { thrown: unknown };

/** What came of a group: the results of its bodies, in order, or why all of it is lost. */
export type GroupOutcome = { results: BodyResult[]; wrote: boolean } | { fault: unknown };

/** Runs a group of bodies in one transaction of the database, and commits it. */
export async function runGroup(
  connection: SqliteConnection,
  group: readonly Waiting[],
  log: Log,
  commit: (wrote: boolean) => Promise<void>,
): Promise<GroupOutcome> {
  const run = (withSavepoints: boolean) => watched(log, () => runBodies(connection, group, withSavepoints));
  try {
    connection.run('BEGIN IMMEDIATE');
    let ran = await run(false);
    if (ran === 'undone') {
      connection.run('BEGIN IMMEDIATE');
      ran = await run(true);
    }
    if (ran === 'undone') throw new Fault('internal', 'a body was not undone alone');
    await commit(ran.wrote);
    return ran;
  } catch (fault) {
    rollBack(connection, log);
    return { fault };
  }
}

/**
 * Runs the bodies of a group one after the other. Without savepoints, which cost microseconds each, a body that throws
 * after it has written undoes the whole group.
 */
async function runBodies(
  connection: SqliteConnection,
  group: readonly Waiting[],
  withSavepoints: boolean,
): Promise<{ results: BodyResult[]; wrote: boolean } | 'undone'> {
  const results: BodyResult[] = [];
  let wrote = false;
  for (const waiting of group) {
    const writes = detectWrites(connection, withSavepoints);
    const result = await runBody(connection, waiting, writes.queries);
    results.push(result);
    if (!('thrown' in result)) wrote = writes.keep() || wrote;
    else if (writes.undo() === 'group undone') {
      if (group.length > 1) return 'undone';
      connection.run('BEGIN IMMEDIATE');
    }
  }
  return { results, wrote };
}

/**
 * Runs the bodies of a group, and logs when they take more than one turn of the event loop. The sync after them may
 * take many.
 */
async function watched<T>(log: Log, run: () => Promise<T>): Promise<T> {
  const watch = setImmediate(() =>
    log.error('a transaction body waits for something other than its own queries, and all others for it'),
  );
  try {
    return await run();
  } finally {
    clearImmediate(watch);
  }
}

function rollBack(connection: SqliteConnection, log: Log): void {
  if (!connection.inTransaction) return;
  try {
    connection.run('ROLLBACK');
  } catch (thrown) {
    log.error({ reason: messageOf(thrown) }, 'a lost group of transactions could not be rolled back');
  }
}

/** @throws Fault `store` when the whole group is lost, not just this body */
async function runBody(
  connection: SqliteConnection,
  { body, options, decisions }: Waiting,
  queries: Queries,
): Promise<BodyResult> {
  const open = openTransaction(queries, { decisions, guarded: options.guardedBy !== undefined });
  let result: BodyResult;
  try {
    const value = await body(open.tx);
    await open.settle();
    if (open.failure() !== undefined) throw open.failure();
    result = { value, effects: open.end() };
  } catch (thrown) {
    open.end();
    result = { thrown };
  }
  // When the disk is full or fails, SQLite rolls back the whole transaction itself, and with it the writes of earlier
  // bodies of the group (https://sqlite.org/lang_transaction.html §3).
  if (!connection.inTransaction) {
    throw open.failure() ?? new Fault('store', 'the database undid the transaction by itself');
  }
  return result;
}

/**
 * Notes whether a body writes, and with `withSavepoint` creates a savepoint at its first statement that does. A body
 * that only reads costs nothing.
 */
function detectWrites(connection: SqliteConnection, withSavepoint: boolean) {
  let wrote = false;
  function before(sql: string): void {
    if (wrote || isReadOnly(sql)) return;
    if (withSavepoint) connection.run('SAVEPOINT body');
    wrote = true;
  }
  const queries = {
    async get(sql, ...parameters) {
      before(sql);
      return connection.get(sql, parameters);
    },
    async all(sql, ...parameters) {
      before(sql);
      return connection.all(sql, parameters);
    },
    async run(sql, ...parameters) {
      before(sql);
      return connection.run(sql, parameters);
    },
  } as Queries;
  return {
    queries,
    /** Returns whether the body wrote anything. */
    keep(): boolean {
      if (wrote && withSavepoint) connection.run('RELEASE body');
      return wrote;
    },
    /** Undoes what the body wrote: all that the transaction wrote, and the transaction, when there is no savepoint. */
    undo(): 'nothing' | 'body undone' | 'group undone' {
      if (!wrote) return 'nothing';
      connection.run(withSavepoint ? 'ROLLBACK TO body' : 'ROLLBACK');
      if (!withSavepoint) return 'group undone';
      connection.run('RELEASE body');
      return 'body undone';
    },
  };
}
