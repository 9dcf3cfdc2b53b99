import type { Store } from '../../server/platform/store/store.ts';

/** Returns a store that passes all on to another one, for a test to replace some of its functions. */
export function boundStore(store: Store): Store {
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
