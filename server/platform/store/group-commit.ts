import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { createDurability } from './durability.ts';
import type { Queries, Transaction, WriteOutage } from './store.ts';
import { openTransaction, isReadOnly, runEffects } from './transaction.ts';
import { createOutageTracker } from './write-outage.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Bodies in one commit: enough to make the sync cheap, few enough that the first does not wait long. */
const GROUP_MAX = 256;

type Body = (tx: Transaction) => Promise<unknown>;

interface Waiting {
  body: Body;
  resolve: (value: unknown) => void;
  reject: (thrown: unknown) => void;
}

/** The result of a body. Its caller gets it only once the group is on disk. */
type BodyResult = { effects: (() => void)[]; value: unknown } | { thrown: unknown };

interface GroupCommitParts {
  connection: SqliteConnection;
  log: Log;
  /** Runs on another thread while this one serves requests; undefined when no sync is needed. */
  sync: (() => Promise<void>) | undefined;
  /** Called before each commit. */
  beforeCommit: () => void;
}

interface GroupCommit {
  transaction<T>(body: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Returns what a read has to wait for, so that it sees nothing that could still be lost: a promise that resolves when
   * everything committed is on disk, or undefined when it is.
   * @throws Fault `store` after a failed sync: what was committed then is visible to SQLite and perhaps not on disk.
   */
  readable(): Promise<void> | undefined;
  /** Runs `work` between two commits: what it finds is committed and on disk, and nothing is written meanwhile. */
  between<T>(work: () => Promise<T>): Promise<T>;
  /** Why transactions cannot be written now. */
  trouble: WriteOutage;
  /** Resolves when every queued transaction has settled; rejects later ones. */
  close(): Promise<void>;
}

/** Delays `run` while every turn of the event loop adds transactions; a single transaction runs without delay. */
function gather(waiting: () => number, run: () => void): void {
  let seen = 0;
  const look = () => {
    const now = waiting();
    if (now <= seen || now <= 1 || now >= GROUP_MAX) return run();
    seen = now;
    setImmediate(look);
  };
  setImmediate(look);
}

/**
 * Groups transactions so that many share one sync. The bodies requested while the previous group was being synced run
 * one after the other inside one BEGIN..COMMIT, each under a savepoint of its own, and all resolve once `sync` has
 * written them to disk.
 */
export function createGroupCommit({ connection, log, sync, beforeCommit }: GroupCommitParts): GroupCommit {
  let queue: Waiting[] = [];
  let running = false;
  let scheduled = false;
  let closed = false;
  let drained: (() => void) | undefined;

  const durability = createDurability(sync);
  const pauses = createPauses(() => durability.broken);
  const tracker = createOutageTracker(() => durability.broken !== undefined);

  /** Commits a group, and resolves when what it wrote is on disk. */
  async function commit(wrote: boolean): Promise<void> {
    beforeCommit();
    const run = () => void connection.run('COMMIT');
    if (wrote) await durability.commit(run);
    else run();
  }

  function schedule(): void {
    if (scheduled || running) return;
    scheduled = true;
    gather(
      () => queue.length,
      () => {
        scheduled = false;
        void runQueued();
      },
    );
  }

  async function runQueued(): Promise<void> {
    running = true;
    if (pauses.waiting()) await pauses.run();
    const group = queue.slice(0, GROUP_MAX);
    queue = queue.slice(GROUP_MAX);
    const outcome = group.length > 0 ? await outcomeOf(group) : undefined;
    running = false;
    if (outcome) answer(group, outcome, log);
    if (queue.length > 0 || pauses.waiting()) schedule();
    else drained?.();
  }

  async function outcomeOf(group: readonly Waiting[]): Promise<GroupOutcome> {
    const outcome = durability.broken
      ? { fault: durability.broken }
      : await runGroup(connection, group, log, commit);
    tracker.note(outcome);
    return outcome;
  }

  return {
    trouble: tracker.trouble,
    readable: durability.readable,
    transaction<T>(body: (tx: Transaction) => Promise<T>) {
      if (closed) return Promise.reject(new Fault('store', 'the store is closed'));
      return new Promise<T>((resolve, reject) => {
        queue.push({ body, resolve: resolve as Waiting['resolve'], reject });
        schedule();
      });
    },
    between<T>(work: () => Promise<T>) {
      if (closed) return Promise.reject(new Fault('store', 'the store is closed'));
      schedule();
      return pauses.add(work);
    },
    async close() {
      closed = true;
      if (queue.length > 0 || pauses.waiting() || running)
        await new Promise<void>((resolve) => (drained = resolve));
    },
  };
}

/** Work that waits for the time between two commits. */
function createPauses(broken: () => Fault | undefined) {
  let waiting: (() => Promise<void>)[] = [];
  return {
    waiting: () => waiting.length > 0,
    add<T>(work: () => Promise<T>): Promise<T> {
      const checked = async () => {
        const fault = broken();
        if (fault) throw fault;
        return work();
      };
      return new Promise<T>((resolve, reject) => {
        waiting.push(() => checked().then(resolve, reject));
      });
    },
    async run(): Promise<void> {
      const works = waiting;
      waiting = [];
      for (const work of works) await work();
    },
  };
}

type GroupOutcome = { results: BodyResult[]; wrote: boolean } | { fault: unknown };

async function runGroup(
  connection: SqliteConnection,
  group: readonly Waiting[],
  log: Log,
  commit: (wrote: boolean) => Promise<void>,
): Promise<GroupOutcome> {
  const results: BodyResult[] = [];
  const writes = { any: false };
  const alone = group.length === 1;
  try {
    connection.run('BEGIN IMMEDIATE');
    await watched(log, async () => {
      for (const { body } of group) results.push(await runBody(connection, body, { writes, alone }));
    });
    await commit(writes.any);
    return { results, wrote: writes.any };
  } catch (fault) {
    rollBack(connection, log);
    return { fault };
  }
}

/**
 * Runs the bodies of a group, and logs when they take more than one turn of the event loop. The sync after them may
 * take many.
 */
async function watched(log: Log, runBodies: () => Promise<void>): Promise<void> {
  const watch = setImmediate(() =>
    log.error('a transaction body waits for something other than its own queries, and all others for it'),
  );
  try {
    await runBodies();
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
  body: Body,
  { writes, alone }: { writes: { any: boolean }; alone: boolean },
): Promise<BodyResult> {
  const savepoint = lazySavepoint(connection, alone);
  const open = openTransaction(savepoint.queries);
  let result: BodyResult;
  try {
    const value = await body(open.tx);
    await open.processCollected();
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
  if ('thrown' in result) savepoint.undo();
  else if (savepoint.keep()) writes.any = true;
  return result;
}

/**
 * Creates a savepoint that opens at the first statement that writes, so that a body that only reads costs nothing. A
 * body that is alone in its group needs none: the whole group is rolled back with it.
 */
function lazySavepoint(connection: SqliteConnection, alone: boolean) {
  let open = false;
  function before(sql: string): void {
    if (open || isReadOnly(sql)) return;
    if (!alone) connection.run('SAVEPOINT body');
    open = true;
  }
  const queries = {
    async get(sql, ...parameters) {
      before(sql);
      return connection.get(sql, ...parameters);
    },
    async all(sql, ...parameters) {
      before(sql);
      return connection.all(sql, ...parameters);
    },
    async run(sql, ...parameters) {
      before(sql);
      return connection.run(sql, ...parameters);
    },
  } as Queries;
  return {
    queries,
    /** Returns whether the body wrote anything. */
    keep(): boolean {
      if (open && !alone) connection.run('RELEASE body');
      return open;
    },
    undo() {
      if (!open) return;
      connection.run(alone ? 'ROLLBACK' : 'ROLLBACK TO body');
      connection.run(alone ? 'BEGIN IMMEDIATE' : 'RELEASE body');
    },
  };
}

function answer(group: readonly Waiting[], outcome: GroupOutcome, log: Log): void {
  group.forEach(({ resolve, reject }, index) => {
    if ('fault' in outcome) return reject(outcome.fault);
    const result = outcome.results[index]!;
    if ('thrown' in result) return reject(result.thrown);
    runEffects(result.effects, log);
    resolve(result.value);
  });
}
