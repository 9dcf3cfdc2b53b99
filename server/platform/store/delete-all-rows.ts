import type { Store, Transaction } from './store.ts';

/**
 * Returns a function that deletes all rows of some tables. On PostgreSQL it first waits for each transaction that has written to
 * one of them, at this server or another; those that are about to write wait for it.
 */
export function deletionOf(tables: readonly string[], { engine }: Pick<Store, 'engine'>) {
  return {
    /** Called before the transaction reads or writes. */
    lock: async (tx: Transaction) => {
      if (engine === 'postgres') await tx.run(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
      tx.delayReset();
    },
    run: (tx: Transaction) => {
      for (const table of tables) tx.send(`DELETE FROM ${table}`);
    },
  };
}
