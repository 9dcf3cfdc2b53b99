import { Fault } from '../../../protocol/failures.ts';
import type { Store, Transaction } from './store.ts';

/**
 * Returns the store as code inside a transaction uses it: its queries and the transactions that are begun on it are
 * parts of that one transaction, and are committed or undone with it.
 */
export function storeInTransaction(tx: Transaction, { engine }: Pick<Store, 'engine'>): Store {
  return {
    engine,
    get: tx.get,
    all: tx.all,
    run: tx.run,
    transaction: (body) => tx.nested(body),
    async close() {
      throw new Fault('internal', 'a store was closed inside a transaction');
    },
  };
}
