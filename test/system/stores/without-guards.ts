import { expect } from 'vitest';
import type { Store, Transaction } from '../../../server/platform/store/store.ts';
import type { Contender } from './interleavings.ts';

/** A store whose transactions are changed before they run. */
function changed(store: Store, change: (tx: Transaction) => Partial<Transaction>): Store {
  return {
    ...store,
    transaction: (body, options) =>
      store.transaction((tx) => {
        const changedTx: Transaction = {
          ...tx,
          nested: (part) => tx.nested(() => part(changedTx)),
          ...change(tx),
        };
        return body(changedTx);
      }, options),
  };
}

/** A store whose transactions take no locks. */
export const withoutLocks = (store: Store) =>
  changed(store, () => ({
    lock: () => {},
    lockRow: () => {},
    requireRowLock: () => {},
    delayReset: () => {},
    requireDelayedReset: () => {},
  }));

/** The transaction without a condition of its statements, and without the last parameters, which it had. */
export const without =
  (condition: RegExp, parameterCount: number) =>
  (contender: Contender): Contender =>
  (store) => {
    let found = false;
    const changedStore = changed(store, (tx) => ({
      run(sql, ...parameters) {
        const shorter = sql.replace(condition, '');
        if (shorter === sql) return tx.run(sql, ...parameters);
        found = true;
        return tx.run(shorter, ...parameters.slice(0, parameters.length - parameterCount));
      },
    }));
    return contender(changedStore).finally(() => expect(found).toBe(true));
  };

/** The transaction without its locks of whole tables. */
export const withoutTableLock =
  (contender: Contender): Contender =>
  (store) =>
    contender(
      changed(store, (tx) => ({
        run: async (sql, ...parameters) =>
          sql.startsWith('LOCK TABLE') ? { changes: 0 } : tx.run(sql, ...parameters),
      })),
    );

/** Drops the unique indexes that hold rules of requests. */
export async function withoutIndexes(store: Store): Promise<void> {
  await store.run('DROP INDEX actions_one_in_progress');
  await store.run('DROP INDEX customers_live_email');
}

/** The transaction without its lock of a balance. */
export const withoutBalanceLock =
  (contender: Contender): Contender =>
  (store) =>
    contender(
      changed(store, (tx) => ({
        run: async (sql, ...parameters) =>
          sql.endsWith('DO UPDATE SET updated_ms = balances.updated_ms')
            ? { changes: 1 }
            : tx.run(sql, ...parameters),
      })),
    );

/** The transaction without its locks, those of balances included, and without the write of the customer that gets a stored card. */
export const withoutRow =
  (contender: Contender): Contender =>
  (store) =>
    withoutBalanceLock(contender)(
      changed(withoutLocks(store), (tx) => ({
        run: async (sql, ...parameters) =>
          sql.startsWith('UPDATE customers SET updated_ms = updated_ms')
            ? { changes: 1 }
            : tx.run(sql, ...parameters),
      })),
    );
