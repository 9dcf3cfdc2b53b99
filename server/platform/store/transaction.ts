import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { createLocks, type LockParts } from './locks.ts';
import type { Collector, Queries, Row, SqlValue, Transaction } from './store.ts';
import { createWriteBatch, type WriteBatch } from './write-batch.ts';

/** A transaction, with the functions that its engine calls to end it. */
interface OpenTransaction {
  tx: Transaction;
  /** Returns the error of the first query that failed. The transaction can then only be rolled back. */
  failure(): unknown;
  /**
   * Calls each collector with its items, sends what waits to be sent, and waits for the changes that were. To be called
   * after the body, before the commit.
   */
  settle(): Promise<void>;
  /** Ends the transaction: every later use throws. Returns the `afterCommit` effects in order. */
  end(): (() => void)[];
}

type Query<Result> = (sql: string, ...parameters: SqlValue[]) => Promise<Result>;

/** What a body has decided outside the store, by key: it is the same when the engine runs the body again. */
export type Decisions = Map<string, boolean>;

interface TransactionParts extends LockParts {
  decisions: Decisions;
  /** Whether the writes that are not waited for are sent together. For PostgreSQL, which is asked over a network. */
  batchesWrites?: boolean;
  /**
   * Sends the lock of a table that a write takes, when the first write waits to be sent, without waiting: what is read until it
   * is sent is then as if it had been, also beside a reset, which locks all tables.
   */
  takeWriteLock?: (table: string) => Promise<unknown>;
}

/** Adds to the bare queries of an engine the rules of a transaction that both engines share. */
export function openTransaction(queries: Queries, parts: TransactionParts): OpenTransaction {
  const effects: (() => void)[] = [];
  const expected: Promise<void>[] = [];
  let failure: unknown;
  let ended = false;

  function throwIfEnded(): void {
    // Without this, a query that its body forgot to await would run in another transaction.
    if (ended) throw new Fault('internal', 'a transaction was used after it had ended');
  }

  function unlessFailed<Result>(query: Query<Result>): Query<Result> {
    return async (sql, ...parameters) => {
      throwIfEnded();
      if (failure !== undefined) throw failure;
      batch?.sendBefore(sql);
      try {
        return await query(sql, ...parameters);
      } catch (thrown) {
        failure ??= thrown;
        // PostgreSQL refuses what was sent after one that failed, with an error of its own.
        throw failure;
      }
    };
  }

  async function settle(): Promise<void> {
    await collected.process(tx);
    batch?.sendAll();
    if (expected.length > 0) await Promise.all(expected);
  }

  const collected = createCollected();
  const fail = (thrown: unknown) => void (failure ??= thrown);
  const locks = createLocks(parts, throwIfEnded, fail);
  const run = unlessFailed(queries.run);
  const batch = openBatch(parts, run, fail);
  const sends = createSends(run, batch, { fail, expect: (answer) => void expected.push(answer) });
  const tx: Transaction = {
    ...locks,
    isGuarded: parts.guarded,
    get: unlessFailed<Row | undefined>(queries.get) as Transaction['get'],
    all: unlessFailed<Row[]>(queries.all) as Transaction['all'],
    run,
    ...sends,
    afterCommit(effect) {
      throwIfEnded();
      effects.push(effect);
    },
    async nested(body) {
      const value = await body(tx);
      await collected.process(tx);
      return value;
    },
    ...createResults(parts.decisions),
    collect(collector, item) {
      throwIfEnded();
      collected.add(collector, item);
    },
  };
  return {
    tx,
    failure: () => failure,
    settle,
    end() {
      ended = true;
      return effects;
    },
  };
}

/** Returns the functions of a transaction that keep results by key. */
function createResults(decisions: Decisions): Pick<Transaction, 'once' | 'decideOnce'> {
  let known: Map<string, Promise<unknown>> | undefined;
  return {
    once<T>(key: string, read: () => Promise<T>) {
      known ??= new Map();
      if (!known.has(key)) known.set(key, read());
      return known.get(key) as Promise<T>;
    },
    decideOnce(key, decide) {
      const decision = decisions.get(key) ?? decide();
      decisions.set(key, decision);
      return decision;
    },
  };
}

function openBatch(
  { batchesWrites, takeWriteLock }: TransactionParts,
  run: Transaction['run'],
  fail: (thrown: unknown) => void,
): WriteBatch | undefined {
  if (!batchesWrites) return undefined;
  return createWriteBatch(
    (sql, parameters) => void run(sql, ...parameters).catch(() => undefined),
    (table) => void takeWriteLock?.(table).catch(fail),
  );
}

interface SentStatements {
  /** Called with why the transaction has to be undone. */
  fail(thrown: unknown): void;
  /** Called with what has to be waited for before the commit. */
  expect(answer: Promise<void>): void;
}

/** Returns the functions of a transaction that send statements without waiting. */
function createSends(
  run: Transaction['run'],
  batch: WriteBatch | undefined,
  { fail, expect }: SentStatements,
): Pick<Transaction, 'send' | 'sendChange'> {
  return {
    send(sql, ...parameters) {
      if (batch) return batch.add({ sql, parameters, changesOne: false });
      run(sql, ...parameters).catch(() => undefined);
    },
    sendChange(sql, ...parameters) {
      if (batch) return batch.add({ sql, parameters, changesOne: true });
      const changed = run(sql, ...parameters).then(({ changes }) => {
        if (changes !== 1) fail(new Fault('internal', `${changes} rows changed: ${sql}`));
      });
      expect(changed.catch(() => undefined));
    },
  };
}

/** Items that a transaction has collected. */
function createCollected() {
  let collected: Map<Collector<unknown>, unknown[]> | undefined;
  return {
    add(collector: Collector<unknown>, item: unknown): void {
      collected ??= new Map();
      const items = collected.get(collector);
      if (items) items.push(item);
      else collected.set(collector, [item]);
    },
    async process(tx: Transaction): Promise<void> {
      if (!collected) return;
      for (const [collector, items] of collected) {
        // Items that are collected meanwhile are processed in a later turn of this loop.
        collected.delete(collector);
        await collector.process(tx, items);
      }
    },
  };
}

/** Runs the effects of a committed transaction. One that throws cannot undo the commit, so it is only logged. */
export function runEffects(effects: readonly (() => void)[], log: Log): void {
  for (const effect of effects) {
    try {
      effect();
    } catch (thrown) {
      log.error({ reason: messageOf(thrown) }, 'an effect after a commit threw');
    }
  }
}

/** Returns whether a statement only reads. A WITH that contains the name of a write counts as a write. */
export function isReadOnly(sql: string): boolean {
  if (/^\s*(SELECT|VALUES)\b/i.test(sql)) return true;
  return /^\s*WITH\b/i.test(sql) && !/\b(INSERT|UPDATE|DELETE)\b/i.test(sql);
}
