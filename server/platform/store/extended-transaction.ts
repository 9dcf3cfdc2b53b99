import { Fault } from '../../../protocol/failures.ts';
import type { GuardName } from './guards.ts';
import { storeInTransaction, type Store, type Transaction, type TransactionOptions } from './store.ts';
import { isReadOnly } from './transaction.ts';

type AfterCommit = Transaction['afterCommit'];

interface Extension<T> {
  /**
   * Does the work on a store, whose first transaction is extended; later ones are parts of it, and so is what is read
   * after it has begun. May be called again when the engine repeats the transaction.
   */
  work(store: Store, afterCommit: AfterCommit): Promise<T>;
  /** What is added at the end of the transaction; in one of its own when the work opens none. */
  last(tx: Transaction, value: T): Promise<void>;
  /** What holds the rules of `last`. */
  guard: GuardName;
}

/**
 * Runs work that opens a transaction, and extends that transaction by a last part: both are committed or undone together.
 * The transaction keeps the options that the work names, so that they are declared in one place.
 */
export async function extendTransaction<T>(store: Store, { work, last, guard }: Extension<T>): Promise<T> {
  let inside: { store: Store; afterCommit: AfterCommit } | undefined;
  let whole: Promise<T> | undefined;
  const early: (() => void)[] = [];

  function open<V>(body: (tx: Transaction) => Promise<V>, options: TransactionOptions = {}): Promise<V> {
    const extended = options.guardedBy ? { ...options, guardedBy: [...options.guardedBy, guard] } : options;
    return new Promise((resolve, reject) => {
      whole = store.transaction(async (tx) => {
        const part = { store: storeInTransaction(tx, store, extended), afterCommit: effectsOf(tx) };
        let value: T;
        // Reads of the work that came before the transaction are done again when it is repeated.
        if (inside) value = await work(part.store, part.afterCommit);
        else {
          inside = part;
          for (const effect of early) part.afterCommit(effect);
          tx.nested(body).then(resolve, reject);
          value = await first;
        }
        await last(tx, value);
        return value;
      }, extended);
      whole.catch(reject);
    });
  }

  function transaction<V>(body: (tx: Transaction) => Promise<V>, options?: TransactionOptions): Promise<V> {
    if (inside) return inside.store.transaction(body, options);
    if (whole) throw new Fault('internal', 'a transaction was requested while another one begins');
    return open(body, options);
  }

  const opening: Store = {
    engine: store.engine,
    get: (sql, ...parameters) =>
      isReadOnly(sql)
        ? (inside?.store ?? store).get(sql, ...parameters)
        : transaction((tx) => tx.get(sql, ...parameters)),
    all: (sql, ...parameters) =>
      isReadOnly(sql)
        ? (inside?.store ?? store).all(sql, ...parameters)
        : transaction((tx) => tx.all(sql, ...parameters)),
    run: (sql, ...parameters) => transaction((tx) => tx.run(sql, ...parameters)),
    transaction,
    async close() {
      throw new Fault('internal', 'a store was closed by what works on it');
    },
  };

  // In a turn of its own: a transaction may begin before the call that requests it returns.
  const first = Promise.resolve().then(() =>
    work(opening, (effect) => void (inside ? inside.afterCommit(effect) : early.push(effect))),
  );
  await first.catch(() => undefined);
  if (whole) return whole;
  const value = await first;
  await store.transaction(
    async (tx) => {
      await last(tx, value);
      for (const effect of early) tx.afterCommit(effect);
    },
    { guardedBy: [guard] },
  );
  return value;
}

/** Returns `afterCommit` of a transaction, which effects may call too: then it runs what it is given at once. */
function effectsOf(tx: Transaction): AfterCommit {
  let committed = false;
  tx.afterCommit(() => (committed = true));
  return (effect) => (committed ? effect() : tx.afterCommit(effect));
}
