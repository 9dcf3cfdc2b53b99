import { expect, test } from 'vitest';
import { extendTransaction } from '../../server/platform/store/extended-transaction.ts';
import {
  storeInTransaction,
  type Queries,
  type Store,
  type Transaction,
} from '../../server/platform/store/store.ts';

const add = (queries: Queries, id: string) => queries.run('INSERT INTO items (id) VALUES (?)', id);
const ids = async (store: Store) =>
  (await store.all<{ id: string }>('SELECT id FROM items ORDER BY id')).map(({ id }) => id);

/** A store that runs each transaction twice, as PostgreSQL does after a conflict: the first one is undone. */
function repeating(store: Store): Store {
  const undone = new Error('a conflict');
  return {
    ...store,
    async transaction(body, options) {
      await store
        .transaction(async (tx) => {
          await body({ ...tx, afterCommit: () => {} });
          throw undone;
        }, options)
        .catch((error: unknown) => {
          if (error !== undone) throw error;
        });
      return store.transaction(body, options);
    },
  };
}

/** Tests of `extendTransaction` on an engine. @param open opens a store with a table `items (id TEXT PRIMARY KEY)` */
export function extendedTransactionContract(open: () => Promise<Store>): void {
  const extended = (store: Store, last: (tx: Transaction) => Promise<unknown>) =>
    extendTransaction(store, {
      guard: 'idempotencyKeys',
      work: async (own, afterCommit) => {
        const before = await ids(own);
        await own.transaction((tx) => add(tx, 'work'), { guardedBy: ['jobClaims'] });
        const within = await ids(own);
        await own.transaction((tx) => add(tx, 'more work'), { guardedBy: [] });
        afterCommit(() => void add(store, 'after'));
        return { before, within };
      },
      last: async (tx) => void (await last(tx)),
    });

  test('extended transaction: the work and what is added to it are committed together, and the work sees what it wrote', async () => {
    const store = await open();
    const value = await extended(store, (tx) => add(tx, 'last'));
    expect(value).toEqual({ before: [], within: ['work'] });
    await expect.poll(() => ids(store)).toEqual(['after', 'last', 'more work', 'work']);
  });

  test('extended transaction: what is added undoes the work when it throws', async () => {
    const store = await open();
    const refused = extended(store, () => Promise.reject(new Error('taken over')));
    await expect(refused).rejects.toThrow('taken over');
    expect(await ids(store)).toEqual([]);
  });

  test('extended transaction: work that throws after its transaction is undone', async () => {
    const store = await open();
    const failing = extendTransaction(store, {
      guard: 'idempotencyKeys',
      async work(own) {
        await own.transaction((tx) => add(tx, 'work'), { guardedBy: [] });
        throw new Error('no reply');
      },
      last: async (tx) => void (await add(tx, 'last')),
    });
    await expect(failing).rejects.toThrow('no reply');
    expect(await ids(store)).toEqual([]);
  });

  test('extended transaction: when the engine repeats it, the work is done again and takes effect once', async () => {
    const store = await open();
    await extended(repeating(store), (tx) => add(tx, 'last'));
    await expect.poll(() => ids(store)).toEqual(['after', 'last', 'more work', 'work']);
  });

  test('extended transaction: without a transaction of the work, what is added is one of its own', async () => {
    const store = await open();
    const value = await extendTransaction(store, {
      guard: 'idempotencyKeys',
      work: async (own) => ids(own),
      last: async (tx) => void (await add(tx, 'last')),
    });
    expect(value).toEqual([]);
    expect(await ids(store)).toEqual(['last']);
  });

  test('store: a part of a transaction that relies on a guard which the whole does not name is a fault', async () => {
    const store = await open();
    const whole = { guardedBy: ['jobClaims'] } as const;
    const part = (options?: Parameters<Store['transaction']>[1]) =>
      store.transaction(
        (tx) => storeInTransaction(tx, store, whole).transaction((nested) => add(nested, 'a'), options),
        whole,
      );
    await expect(part({ guardedBy: ['latestRows'] })).rejects.toThrow('relies on latestRows');
    await expect(part()).rejects.toThrow('relies on SERIALIZABLE');
    await part(whole);
    expect(await ids(store)).toEqual(['a']);
  });
}
