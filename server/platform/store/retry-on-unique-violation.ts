import { UniqueViolation, type Store, type Transaction } from './store.ts';

/**
 * Runs a transaction, and once more after a unique violation. When two requests race, PostgreSQL may show the other's
 * row to the unique index only: the second run reads that row and throws its Refusal.
 */
export async function retryOnUniqueViolation<T>(
  store: Store,
  body: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await store.transaction(body);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    return store.transaction(body);
  }
}
