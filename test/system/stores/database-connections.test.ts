import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

const fixture = createSystemFixture();
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await fixture.cleanUp();
  await server.stop();
});

/** One connection, whose queries wait for each other. */
function connect(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  onTestFinished(() => pool.end());
  return pool;
}

const MAX = 3;

test('DATABASE_CONNECTIONS: default and the other sandboxes use that many each, however many requests there are', async () => {
  const url = await server.freshDatabase();
  const tapbench = await fixture.tapbench({
    command: 'server',
    env: { DATABASE_URL: url, DATABASE_CONNECTIONS: String(MAX), RATE_LIMIT: 'off' },
  });
  const { body } = await tapbench.api('POST', '/sandboxes', { name: 'ci' });
  const observer = connect(url);
  const counts: number[] = [];
  const countOnce = async () => {
    const { rows } = await observer.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'tapbench' AND datname = current_database()`,
    );
    counts.push(rows[0].n);
  };
  const create = async (authorization: string, index: number) => {
    const customer = { email: `buyer${index}@corner.example` };
    const { status } = await tapbench.api('POST', '/v1/customers', customer, { authorization });
    await countOnce();
    return status;
  };
  const keys = [tapbench.secretKey, body.secretKey as string];
  const created = Array.from({ length: 60 }, (_, index) => keys.map((key) => create(key, index))).flat();
  expect(new Set(await Promise.all(created))).toEqual(new Set([200]));
  expect(Math.max(...counts)).toBe(2 * MAX);
});

test('DATABASE_CONNECTIONS: requests that find none free fail, and those after them are served', async () => {
  const url = await server.freshDatabase();
  const tapbench = await fixture.tapbench({
    command: 'server',
    env: { DATABASE_URL: url, DATABASE_CONNECTIONS: '2', RATE_LIMIT: 'off', REQUEST_LOG_MAX: '0' },
  });
  const create = async (index: number) => {
    const customer = { email: `buyer${index}@corner.example` };
    return (await tapbench.api('POST', '/v1/customers', customer)).status;
  };
  const other = connect(url);
  await other.query('BEGIN; LOCK TABLE customers IN ACCESS EXCLUSIVE MODE');
  // Two wait for the table until statement_timeout, the others for a connection.
  expect(await Promise.all([1, 2, 3, 4, 5].map(create))).toEqual([503, 503, 503, 503, 503]);
  await other.query('ROLLBACK');
  expect(await create(1)).toBe(200);
}, 60_000);
