import type { Store } from '../../../server/platform/store/store.ts';

/** Keeps others from writing to a table of PostgreSQL until the function that is returned is called. */
export async function lockTable(store: Store, table: string): Promise<() => void> {
  let unlock!: () => void;
  const held = new Promise<void>((resolve) => (unlock = resolve));
  await new Promise<void>((resolve, reject) => {
    store
      .transaction(async (tx) => {
        await tx.run(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
        resolve();
        await held;
      })
      .catch(reject);
  });
  return unlock;
}
