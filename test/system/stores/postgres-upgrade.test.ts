import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MIGRATIONS } from '../../../server/platform/store/migrations/migrate.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startPgBouncer } from './pgbouncer-server.ts';
import { findPrograms, startPostgres, type PostgresServer } from './postgres-server.ts';

/** A database that version 0.1.0 left by `kill -9`, made by test/data-folders/make.mjs. */
const LEFT = join(import.meta.dirname, 'databases/0.1.0');
const left = JSON.parse(readFileSync(join(LEFT, 'answers.json'), 'utf8')) as {
  killedMs: number;
  sandbox: { secretKey: string; customerId: string };
  answers: Record<string, unknown>;
};
const unpacked = (file: string) => gunzipSync(readFileSync(join(LEFT, 'files', `${file}.gz`)));
const keys = JSON.parse(unpacked('keys.json').toString()) as Record<string, string>;

/** The last migration of 0.1.0. */
const MIGRATION = 35;
const STEPS = MIGRATIONS.slice(MIGRATION).map(({ name }) => name);

let postgres: PostgresServer;
let restored: string;
beforeAll(async () => {
  postgres = await startPostgres();
  restored = await postgres.freshDatabase();
  const psql = join(await findPrograms(), 'psql');
  execFileSync(psql, ['--quiet', '--set=ON_ERROR_STOP=1', restored], {
    input: unpacked('database.sql'),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
});
afterAll(() => postgres.stop());

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

/**
 * A copy of the database, with a connection that is no server's. Its sandbox has just been used: a day later it expires. The
 * clocks continue a second after it was left: otherwise its money clears and its subscription is charged as the copy gets
 * older.
 */
async function openDatabase() {
  const url = await postgres.freshDatabase(restored);
  const client = new pg.Client({ connectionString: url, application_name: 'backup' });
  await client.connect();
  fixture.onCleanUp(() => client.end());
  const nowMs = Date.now();
  await client.query('UPDATE sandboxes SET used_ms = $1', [nowMs]);
  const offsetMs = left.killedMs + 1000 - nowMs;
  for (const schema of ['public', 'sandbox_ci'])
    await client.query(`INSERT INTO ${schema}.settings (name, value) VALUES ('clock_offset_ms', $1)`, [
      String(offsetMs),
    ]);
  const migrationOf = async (schema: string) =>
    (await client.query(`SELECT max(number) AS newest FROM ${schema}.migrations`)).rows[0].newest as number;
  return { url, client, migrationOf };
}

function envFor(url: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    SECRET_KEY: keys['secretKey']!,
    PUBLIC_KEY: keys['publicKey']!,
    PAIRING_SECRET: keys['pairingSecret']!,
    DASHBOARD_TOKEN: 'dash_of_the_upgrade_test_which_is_long_enough',
    SANDBOX_POOL: '0',
    LOG_FORMAT: 'json',
  };
}

const startServer = (url: string) => fixture.tapbench({ command: 'server', env: envFor(url) });

/** Starts a server that is not expected to become ready. */
const startOnly = (url: string) =>
  fixture.command(['server', '--json'], {
    env: { ...envFor(url), DATA_DIR: fixture.folder(), PORT: '0', MQTT_PORT: '0' },
  });

/** Returns the lines of a log with a message. */
function logged(text: string, message: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message);
}

test('upgrade: a database of 0.1.0 with a sandbox has the tables of today, and what it had', async () => {
  const { url, migrationOf } = await openDatabase();
  expect([await migrationOf('public'), await migrationOf('sandbox_ci')]).toEqual([MIGRATION, MIGRATION]);
  const server = await startServer(url);
  const answers: Record<string, unknown> = {};
  for (const path of Object.keys(left.answers)) answers[path] = (await server.api('GET', path)).body;
  expect(answers).toMatchObject(left.answers);
  const { customerId, secretKey } = left.sandbox;
  const customer = await server.api('GET', `/v1/customers/${customerId}`, undefined, {
    authorization: secretKey,
  });
  expect(customer.body).toMatchObject({ id: customerId, email: 'ana@example.com' });
  const now = MIGRATIONS.length;
  expect([await migrationOf('public'), await migrationOf('sandbox_ci')]).toEqual([now, now]);
  const { stderr } = await server.kill('SIGTERM');
  const lines = logged(stderr, 'database migrated');
  expect(lines.map(({ sandbox, migration }) => [sandbox, migration])).toEqual([
    ...STEPS.map((name) => [undefined, name]),
    ...STEPS.map((name) => ['ci', name]),
  ]);
  for (const line of lines) expect(line['elapsedMs']).toEqual(expect.any(Number));
});

test('upgrade: through PgBouncer in transaction mode, a database of 0.1.0 has the tables of today, and what it had', async () => {
  const { url, migrationOf } = await openDatabase();
  const pooler = await startPgBouncer(url, { mode: 'transaction', connections: 4 });
  fixture.onCleanUp(() => pooler.stop());
  const servers = await Promise.all([startServer(pooler.through(url)), startServer(pooler.through(url))]);
  const { customerId, secretKey: authorization } = left.sandbox;
  for (const server of servers) {
    const answers: Record<string, unknown> = {};
    for (const path of Object.keys(left.answers)) answers[path] = (await server.api('GET', path)).body;
    expect(answers).toMatchObject(left.answers);
    const customer = await server.api('GET', `/v1/customers/${customerId}`, undefined, { authorization });
    expect(customer.body).toMatchObject({ id: customerId, email: 'ana@example.com' });
  }
  const now = MIGRATIONS.length;
  expect([await migrationOf('public'), await migrationOf('sandbox_ci')]).toEqual([now, now]);
  const ended = await Promise.all(servers.map((server) => server.kill('SIGTERM')));
  const lines = ended.flatMap(({ stderr }) => logged(stderr, 'database migrated'));
  expect(lines.filter(({ sandbox }) => sandbox === undefined).map(({ migration }) => migration)).toEqual(
    STEPS,
  );
  expect(lines.filter(({ sandbox }) => sandbox === 'ci').map(({ migration }) => migration)).toEqual(STEPS);
});

test('upgrade: of two servers that start at once one migrates, and both serve', async () => {
  const { url } = await openDatabase();
  const servers = await Promise.all([startServer(url), startServer(url)]);
  for (const server of servers) expect((await server.api('GET', '/v1/balances')).status).toBe(200);
  const ended = await Promise.all(servers.map((server) => server.kill('SIGTERM')));
  const lines = ended.flatMap(({ stderr }) => logged(stderr, 'database migrated'));
  const ofDefault = lines.filter(({ sandbox }) => sandbox === undefined);
  expect(ofDefault.map(({ migration }) => migration)).toEqual(STEPS);
});

test('upgrade: one that waits for a lock says who holds it, and leaves whole steps when it is killed', async () => {
  const { url, client, migrationOf } = await openDatabase();
  await client.query('BEGIN');
  await client.query('LOCK TABLE deliveries IN ROW EXCLUSIVE MODE');
  const killed = startOnly(url);
  const waits = 'the migration of the database waits for a lock that another program holds';
  const [line] = await waitFor('the log of the wait', () => {
    const lines = logged(killed.stderr, waits);
    return lines.length > 0 ? lines : undefined;
  });
  expect(line).toMatchObject({ programs: [expect.stringMatching(/^backup \d+$/)] });
  await killed.kill('SIGKILL');
  expect(await migrationOf('public')).toBe(MIGRATION);
  await client.query('ROLLBACK');
  await startServer(url);
  expect(await migrationOf('public')).toBe(MIGRATIONS.length);
});

test('upgrade: a server does not start while one of the earlier version runs, and leaves its tables', async () => {
  const { url, client, migrationOf } = await openDatabase();
  const seen = () =>
    client.query(
      `INSERT INTO instances (id, seen_ms) VALUES ('earlier', $1)
       ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms`,
      [Date.now()],
    );
  await seen();
  const runs = setInterval(() => void seen(), 1_000);
  try {
    const { code, stderr } = await startOnly(url).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('1 other server runs on DATABASE_URL');
    expect(await migrationOf('public')).toBe(MIGRATION);
  } finally {
    clearInterval(runs);
  }
});
