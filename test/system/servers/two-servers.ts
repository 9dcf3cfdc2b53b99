import pg from 'pg';
import { startWatchedMosquitto } from '../brokers/watched-mosquitto.ts';
import type { Child } from '../kit/child-command.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startPostgres } from '../stores/postgres-server.ts';

const KEYS = {
  SECRET_KEY: 'sk_sandbox_of_two_servers_0123456789abcdef',
  PUBLIC_KEY: 'pk_sandbox_of_two_servers_0123456789abcdef',
  PAIRING_SECRET: 'a pairing secret of two servers, long enough',
  DASHBOARD_TOKEN: 'dash_of_two_servers_0123456789abcdef0123456789',
};

/** A terminal that the broker refuses, since it has not read its users yet, pauses for up to a minute before it tries again. */
const REFUSED_MS = 90_000;

/** Two servers as processes, on one PostgreSQL database and one mosquitto. */
export interface TwoServers {
  first: Tapbench;
  second: Tapbench;
  /** The id of the first server among those on the database. */
  firstId: string;
  /** Reads rows of the sandbox `default`. */
  rows<R extends pg.QueryResultRow>(sql: string, ...values: unknown[]): Promise<R[]>;
  /** Starts a process that simulates terminals, which are paired through a server. Resolves with their ids once all are online. */
  startTerminals(through: Tapbench, count: number, args?: string[]): Promise<string[]>;
}

/**
 * @param env settings of both servers
 * @param own settings of each
 */
export async function startTwoServers(
  fixture: SystemFixture,
  env: Record<string, string> = {},
  own: readonly [Record<string, string>, Record<string, string>] = [{}, {}],
): Promise<TwoServers> {
  const postgres = await startPostgres();
  fixture.onCleanUp(() => postgres.stop());
  const shared = { ...KEYS, DATABASE_URL: postgres.url };
  const broker = await startWatchedMosquitto(fixture, shared);
  const database = new pg.Pool({ connectionString: postgres.url, max: 2 });
  fixture.onCleanUp(() => database.end());
  const rows: TwoServers['rows'] = async <R extends pg.QueryResultRow>(sql: string, ...values: unknown[]) =>
    (await database.query<R>(sql, values)).rows;
  const start = (user: string, ownEnv: Record<string, string>) =>
    fixture.tapbench({
      command: 'server',
      env: { ...shared, MQTT_PORT: '1883', MQTT_URL: `mqtt://${user}${broker}`, ...env, ...ownEnv },
    });
  const first = await start('', own[0]);
  const [instance] = await rows<{ id: string }>('SELECT id FROM instances');
  const second = await start('server-2@', own[1]);
  for (const server of [first, second])
    await waitFor(
      'the server to reach the broker',
      async () => (await server.api('GET', '/healthz')).status === 200,
    );

  return {
    first,
    second,
    firstId: instance!.id,
    rows,
    async startTerminals(through, count, args = []) {
      const words = ['sim', '--terminals', String(count), '--mqtt', `mqtt://${broker}`, '--json', ...args];
      const sim: Child = fixture.command(words, {
        env: { TAPBENCH_URL: through.url, SECRET_KEY: through.secretKey, DATA_DIR: fixture.folder() },
      });
      const [line] = await sim.prints(/^\{.*\}$/m, REFUSED_MS);
      const ids = JSON.parse(line).terminals.map(({ id }: { id: string }) => id) as string[];
      for (const server of [first, second])
        await waitFor('the server to see the terminals online', async () => {
          const { items } = (await server.api('GET', '/sandbox/terminals')).body;
          return ids.every((id) =>
            items.some((item: { id: string; online: boolean }) => item.id === id && item.online),
          );
        });
      return ids;
    },
  };
}
