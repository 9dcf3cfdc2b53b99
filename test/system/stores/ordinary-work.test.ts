import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { countFrom } from '../../kit/count-from.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';
import { ORDINARY_WORK, workAtOnce } from './ordinary-work.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

const fixture = createSystemFixture();
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterEach(() => fixture.cleanUp());
afterAll(() => server.stop());

const OBJECTS = countFrom('OBJECTS', 40);

test.each(Object.entries(ORDINARY_WORK))(
  'PostgreSQL: %s that have nothing to do with each other: of 100 requests fewer than 2 transactions are repeated',
  async (kind, work) => {
    const url = await server.freshDatabase();
    const tapbench = await fixture.tapbench({ command: 'server', env: { DATABASE_URL: url } });
    const requests = await workAtOnce(tapbench, work, { objects: OBJECTS, atOnce: 32 });
    // What a connection has counted is in the statistics when it ends.
    await tapbench.kill('SIGTERM');
    const { commits, rollbacks } = await transactionsOf(url);
    process.stdout.write(`${kind}: ${requests} requests, ${commits} commits, ${rollbacks} rollbacks\n`);
    expect(commits).toBeGreaterThan(requests);
    expect(rollbacks).toBeLessThan((2 * requests) / 100);
  },
);

/** Returns the numbers of committed and undone transactions of a database whose connections have ended or will end. */
async function transactionsOf(url: string): Promise<{ commits: number; rollbacks: number }> {
  const other = new pg.Client(server.url);
  await other.connect();
  try {
    const read = async () => {
      const { rows } = await other.query<Record<'connections' | 'commits' | 'rollbacks', string>>(
        `SELECT numbackends AS connections, xact_commit AS commits, xact_rollback AS rollbacks
         FROM pg_stat_database WHERE datname = $1`,
        [new URL(url).pathname.slice(1)],
      );
      return rows[0]!;
    };
    await waitFor('the connections have ended', async () => Number((await read()).connections) === 0);
    const { commits, rollbacks } = await read();
    return { commits: Number(commits), rollbacks: Number(rollbacks) };
  } finally {
    await other.end();
  }
}
