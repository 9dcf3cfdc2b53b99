import type { Log } from '../../../protocol/log.ts';
import { migratedDatabase } from './migrated-database.ts';
import { migrate } from './migrations/migrate.ts';
import type { Store } from './store.ts';

export interface StoreSettings {
  /** `DATABASE_URL`: PostgreSQL. Takes precedence over `path`. */
  databaseUrl?: string;
  /** Connections to that database at most. */
  connectionsMax?: number | undefined;
  /** The embedded database's file, or `:memory:` for one that is gone with the process. */
  path?: string;
  /** Whether the file does not outlive the process, so that it is never synced. */
  ephemeral?: boolean;
  /** Bytes of a SQLite file of this version, for a `:memory:` store that begins as a copy of it; no rows by default. */
  copyOf?: Uint8Array;
  /** Called before the tables of a database that other servers may use are changed. What it throws leaves them. */
  beforeUpdate?: ((store: Store) => Promise<void>) | undefined;
  log: Log;
}

/**
 * Opens the store that the settings name, its tables up to date.
 * @throws Fault `bad_setting` for a URL that is none, `store` when the engine cannot be reached or opened or
 * holds the data of a newer program.
 */
export async function openStore({
  databaseUrl,
  connectionsMax,
  path = ':memory:',
  ephemeral = false,
  copyOf,
  beforeUpdate,
  log,
}: StoreSettings): Promise<Store> {
  // Loaded when needed: a laptop's start does not wait for the engine that it does not use.
  if (databaseUrl === undefined) {
    const { openSqlite } = await import('./sqlite.ts');
    if (path === ':memory:')
      return openSqlite({ path, log, copyOf: copyOf ?? (await migratedDatabase(log)) });
    const store = await openSqlite({ path, log, ...(ephemeral && { sync: 'never' }) });
    return orClose(store, () => migrate(store, log));
  }
  const { openPostgres, withDatabaseLock } = await import('./postgres.ts');
  const store = await openPostgres({ url: databaseUrl, log, connectionsMax });
  const update = { beforeUpdate: async () => beforeUpdate?.(store) };
  return orClose(store, () => withDatabaseLock(databaseUrl, () => migrate(store, log, update)));
}

async function orClose(store: Store, prepare: () => Promise<void>): Promise<Store> {
  try {
    await prepare();
    return store;
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}
