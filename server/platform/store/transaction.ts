import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { createLocks, type LockParts } from './locks.ts';
import type { Collector, Queries, Row, SqlValue, Transaction } from './store.ts';

/** A transaction, with the functions that its engine calls to end it. */
interface OpenTransaction {
  tx: Transaction;
  /** Returns the error of the first query that failed. The transaction can then only be rolled back. */
  failure(): unknown;
  /**
   * Calls each collector with its items, and waits for the changes that were sent. To be called after the body, before the
   * commit.
   */
  settle(): Promise<void>;
  /** Ends the transaction: every later use throws. Returns the `afterCommit` effects in order. */
  end(): (() => void)[];
}

type Query<Result> = (sql: string, ...parameters: SqlValue[]) => Promise<Result>;

interface TransactionParts extends LockParts {
  /**
   * Returns a statement that fails unless the given one changes one row. For an engine that is asked over a network: it is
   * then not waited for.
   */
  changingOne?: (sql: string) => string;
}

/** Adds to the bare queries of an engine the rules of a transaction that both engines share. */
export function openTransaction(queries: Queries, parts: TransactionParts): OpenTransaction {
  const effects: (() => void)[] = [];
  const expected: Promise<void>[] = [];
  let known: Map<string, Promise<unknown>> | undefined;
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
    if (expected.length > 0) await Promise.all(expected);
  }

  const collected = createCollected();
  const locks = createLocks(parts, throwIfEnded, (thrown) => (failure ??= thrown));
  const run = unlessFailed(queries.run);
  const sends = createSends(run, parts, {
    fail: (thrown) => (failure ??= thrown),
    expect: (answer) => void expected.push(answer),
  });
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
    once<T>(key: string, read: () => Promise<T>) {
      known ??= new Map();
      if (!known.has(key)) known.set(key, read());
      return known.get(key) as Promise<T>;
    },
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

interface SentStatements {
  /** Called with why the transaction has to be undone. */
  fail(thrown: unknown): void;
  /** Called with what has to be waited for before the commit. */
  expect(answer: Promise<void>): void;
}

/** Returns the functions of a transaction that send statements without waiting. */
function createSends(
  run: Transaction['run'],
  { changingOne }: TransactionParts,
  { fail, expect }: SentStatements,
): Pick<Transaction, 'send' | 'sendChange'> {
  const send: Transaction['send'] = (sql, ...parameters) =>
    void run(sql, ...parameters).catch(() => undefined);
  return {
    send,
    sendChange(sql, ...parameters) {
      if (changingOne) return send(changingOne(sql), ...parameters);
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
