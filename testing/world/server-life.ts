import type { Outgoing } from '../../server/platform/outgoing.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { OpenCalls } from './api.ts';

const never = new Promise<never>(() => {});

/** What a server is cut from when it is killed. */
interface ServerLife {
  store: Store;
  outgoing: Outgoing;
  /** From now on neither the store nor other servers answer. */
  end(): void;
}

/** Wraps the store and the client of a server, so that it can be killed within this process. */
export function createServerLife(store: Store, outgoing: Outgoing): ServerLife {
  let hasEnded = false;
  return {
    store: {
      ...store,
      get: (sql, ...parameters) => (hasEnded ? never : store.get(sql, ...parameters)),
      all: (sql, ...parameters) => (hasEnded ? never : store.all(sql, ...parameters)),
      run: (sql, ...parameters) => (hasEnded ? never : store.run(sql, ...parameters)),
      transaction: (body, options) => (hasEnded ? never : store.transaction(body, options)),
    },
    outgoing: {
      ...outgoing,
      post: (request) => (hasEnded ? never : outgoing.post(request)),
      get: (request) => (hasEnded ? never : outgoing.get(request)),
    },
    end: () => void (hasEnded = true),
  };
}

/**
 * Cuts the pending requests of a server that was killed, and lets later ones wait until it is up again. One that is killed
 * while it starts never is, and the next one ends the wait.
 */
export function startAgain(calls: OpenCalls, start: () => Promise<void>): void {
  for (const cut of calls.cuts ?? [])
    cut(Object.assign(new TypeError('fetch failed: the server was killed'), { code: 'ECONNRESET' }));
  let isUp = () => {};
  const before = calls.starting;
  const up = new Promise<void>((resolve) => (isUp = resolve));
  const starting = before ? Promise.race([before, up]) : up;
  calls.starting = starting;
  void start().then(() => {
    calls.starting = undefined;
    isUp();
  });
}

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
