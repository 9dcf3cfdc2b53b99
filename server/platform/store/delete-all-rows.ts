import { isOneOf } from '../../../protocol/tables.ts';
import { ROW_LOCKS } from './guards.ts';
import type { Store, Transaction } from './store.ts';

/**
 * Returns a function that deletes all rows of some tables. On PostgreSQL it first waits for each transaction that has written to
 * one of them, at this server or another; those that are about to write wait for it.
 */
export function deletionOf(tables: readonly string[], { engine }: Pick<Store, 'engine'>) {
  // PostgreSQL locks them one after another. In the order of other transactions, which lock a row first, or delay a reset by
  // the first table: this one then waits before it holds what they go on to write, and neither waits for the other.
  const inOrder = [
    ...ROW_LOCKS.filter((table) => tables.includes(table)),
    ...tables.filter((table) => !isOneOf<string>(ROW_LOCKS, table)),
  ];
  return {
    /** Called before the transaction reads or writes. */
    lock: async (tx: Transaction) => {
      if (engine === 'postgres') await tx.run(`LOCK TABLE ${inOrder.join(', ')} IN EXCLUSIVE MODE`);
      tx.delayReset();
    },
    run: (tx: Transaction) => {
      for (const table of tables) tx.send(`DELETE FROM ${table}`);
    },
  };
}
