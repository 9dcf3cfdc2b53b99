import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { Collector, Queries, Row, SqlValue, Transaction } from './store.ts';

/** A transaction in the making, with what its engine needs to end it. */
interface OpenTransaction {
  tx: Transaction;
  /** What the first query that failed threw; such a transaction can only be undone. */
  failure(): unknown;
  /** Has what was collected processed. */
  finish(): Promise<void>;
  /** Refuses every later use, and answers the effects asked for, in order. */
  end(): (() => void)[];
}

type Query<Result> = (sql: string, ...parameters: SqlValue[]) => Promise<Result>;

/** Puts the rules that both engines share around an engine's bare queries. */
export function openTransaction(queries: Queries): OpenTransaction {
  const effects: (() => void)[] = [];
  const known = new Map<string, Promise<unknown>>();
  const collected = new Map<Collector<unknown>, unknown[]>();
  let failure: unknown;
  let ended = false;

  function refuseWhenEnded(): void {
    // Without this, a query that its body forgot to await would run in another transaction.
    if (ended) throw new Fault('internal', 'a transaction was used after it had ended');
  }

  function guarded<Result>(query: Query<Result>): Query<Result> {
    return async (sql, ...parameters) => {
      refuseWhenEnded();
      if (failure !== undefined) throw failure;
      try {
        return await query(sql, ...parameters);
      } catch (thrown) {
        failure ??= thrown;
        throw thrown;
      }
    };
  }

  const tx: Transaction = {
    get: guarded<Row | undefined>(queries.get) as Transaction['get'],
    all: guarded<Row[]>(queries.all) as Transaction['all'],
    run: guarded(queries.run),
    afterCommit(effect) {
      refuseWhenEnded();
      effects.push(effect);
    },
    once<T>(key: string, read: () => Promise<T>) {
      if (!known.has(key)) known.set(key, read());
      return known.get(key) as Promise<T>;
    },
    collect(collector, item) {
      refuseWhenEnded();
      const items = collected.get(collector);
      if (items) items.push(item);
      else collected.set(collector, [item]);
    },
  };
  return {
    tx,
    failure: () => failure,
    async finish() {
      for (const [collector, items] of collected) {
        // A collector that is given more meanwhile comes to the end of the map, and has its turn again.
        collected.delete(collector);
        await collector.process(tx, items);
      }
    },
    end() {
      ended = true;
      return effects;
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

/** True for a statement that only reads; a WITH that mentions a write counts as one. */
export function reads(sql: string): boolean {
  if (/^\s*(SELECT|VALUES)\b/i.test(sql)) return true;
  return /^\s*WITH\b/i.test(sql) && !/\b(INSERT|UPDATE|DELETE)\b/i.test(sql);
}
