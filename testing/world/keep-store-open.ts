import type { Store } from '../../server/platform/store/store.ts';

/** Wraps a store so that servers cannot close it. */
export function keepStoreOpen(store: Store): { store: Store; close(): Promise<void> } {
  return { store: { ...bound(store), close: async () => {} }, close: () => store.close() };
}

function bound(store: Store): Store {
  return {
    engine: store.engine,
    ...(store.trouble && { trouble: store.trouble }),
    get: (sql, ...parameters) => store.get(sql, ...parameters),
    all: (sql, ...parameters) => store.all(sql, ...parameters),
    run: (sql, ...parameters) => store.run(sql, ...parameters),
    transaction: (body, options) => store.transaction(body, options),
    ...(store.copyTo && { copyTo: (path, before) => store.copyTo!(path, before) }),
    close: () => store.close(),
  };
}
