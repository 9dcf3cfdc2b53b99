import { join } from 'node:path';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import type { Queries, Store } from '../../../server/platform/store/store.ts';
import { startWatchedMosquitto } from '../brokers/watched-mosquitto.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { startPostgres } from '../stores/postgres-server.ts';

const KEYS = {
  SECRET_KEY: 'sk_sandbox_of_servers_whose_requests_race_each_other',
  PUBLIC_KEY: 'pk_sandbox_of_servers_whose_requests_race_each_other',
  PAIRING_SECRET: 'pairing-secret-of-servers-whose-requests-race',
  DASHBOARD_TOKEN: 'dash_of_servers_whose_requests_race_0123456789',
};

// The log of requests and the timelines write to the database beside the requests, and no race is about them.
const SETTINGS = { IDEMPOTENCY_KEYS: 'on', LOG_LEVEL: 'error', REQUEST_LOG_MAX: '0', TIMELINES_MAX: '0' };

/** Servers on one store, to which a race sends its requests in turn. */
export interface RacingServers {
  /** The first one simulates the terminals. */
  servers: readonly Tapbench[];
  /** The database, while the servers use it; undefined for the embedded store, which one process opens. */
  database?: Store;
  /** Ends the servers and calls back with what they have stored. */
  afterwards(read: (queries: Queries) => Promise<void>): Promise<void>;
}

/** Starts two servers on one PostgreSQL and one mosquitto. */
export async function startTwoServers(fixture: SystemFixture): Promise<RacingServers> {
  const postgres = await startPostgres();
  fixture.onCleanUp(() => postgres.stop());
  const stored = { ...KEYS, DATABASE_URL: postgres.url };
  const broker = await startWatchedMosquitto(fixture, stored);
  const env = { ...stored, ...SETTINGS, MQTT_PORT: '1883' };
  const first = await fixture.tapbench({ env: { ...env, MQTT_URL: `mqtt://${broker}` } });
  const second = await fixture.tapbench({
    command: 'server',
    env: { ...env, MQTT_URL: `mqtt://server-2@${broker}` },
  });
  const database = await openStore({ databaseUrl: postgres.url, log: silentLog });
  fixture.onCleanUp(() => database.close());
  return {
    servers: [first, second],
    database,
    async afterwards(read) {
      await Promise.all([first.kill('SIGINT'), second.kill('SIGINT')]);
      await read(database);
    },
  };
}

/** Starts one server on the embedded store, with the embedded broker. */
export async function startOneServer(fixture: SystemFixture): Promise<RacingServers> {
  const dataDir = fixture.folder();
  const server = await fixture.tapbench({ dataDir, env: { ...KEYS, ...SETTINGS } });
  return {
    servers: [server],
    async afterwards(read) {
      await server.kill('SIGINT');
      const store = await openStore({ path: join(dataDir, 'store.db'), log: silentLog });
      try {
        await read(store);
      } finally {
        await store.close();
      }
    },
  };
}
