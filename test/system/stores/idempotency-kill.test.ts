import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delay } from '../../../protocol/clock.ts';
import { fraction, seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { createIdempotentShop, type IdempotentShop } from './idempotent-shop.ts';
import { orUndefined } from './kill-points.ts';
import { lockTable } from './locked-table.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { realTime, waitFor } from '../kit/wait-for.ts';
import { countFrom } from '../../kit/count-from.ts';

/** Another seed is other moments, and more kills take longer: `SEED=two npm run prove:kills`. */
const SEED = process.env['SEED'] ?? 'one';
const KILLS = countFrom('KILLS', 4);

const SHOPS = 4;

// Some hundred requests are answered within this time.
const KILL_MS_MAX = 400;

const fixture = createSystemFixture();
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await fixture.cleanUp();
  await postgres.stop();
});

const KEYS = {
  SECRET_KEY: 'sk_sandbox_0123456789abcdef0123456789abcdef',
  PUBLIC_KEY: 'pk_sandbox_0123456789abcdef0123456789abcdef',
  PAIRING_SECRET: 'a pairing secret that both servers have, long enough',
};

/** Starts two servers on a new database. */
async function twoServers(): Promise<{ databaseUrl: string; servers: Tapbench[] }> {
  const databaseUrl = await postgres.freshDatabase();
  const env = { ...KEYS, DATABASE_URL: databaseUrl, IDEMPOTENCY_KEYS: 'on' };
  const servers = [
    await fixture.tapbench({ command: 'server', env }),
    await fixture.tapbench({ command: 'server', env }),
  ];
  return { databaseUrl, servers };
}

const CONFIGURATIONS: [string, () => Promise<Tapbench[]>][] = [
  ['SQLite', async () => [await fixture.tapbench({ command: 'server', env: { IDEMPOTENCY_KEYS: 'on' } })]],
  ['two servers on PostgreSQL', async () => (await twoServers()).servers],
];

describe.each(CONFIGURATIONS)('idempotency keys: %s', (name, open) => {
  test(
    `each of the repeated POSTs is done once through ${KILLS} kills`,
    { timeout: 60_000 + KILLS * 20_000 },
    async () => {
      const servers = await open();
      const shops: IdempotentShop[] = Array.from({ length: SHOPS }, (_, index) =>
        createIdempotentShop(servers, `shop-${index}`),
      );
      const random = seededRandom(`${SEED} idempotency ${name}`);
      const selling = Promise.all(shops.map((shop) => shop.sell()));
      for (let kill = 0; kill < KILLS; kill++) {
        await delay(realTime, Math.floor(fraction(random) * KILL_MS_MAX));
        const killed = servers[kill % servers.length]!;
        await killed.kill();
        await killed.restart();
      }
      shops.forEach((shop) => shop.stop());
      await selling;
      for (const shop of shops) await shop.check();
      const repeated = shops.reduce((sum, shop) => sum + shop.repeated(), 0);
      expect(repeated).toBeGreaterThan(0);
    },
  );
});

test(
  'idempotency keys: a request whose server is killed between claim and answer is done once by another server, after its lease',
  { timeout: 60_000 },
  async () => {
    const { databaseUrl, servers } = await twoServers();
    const [first, second] = servers as [Tapbench, Tapbench];
    const store = await openStore({ databaseUrl, log: silentLog });
    const body = { email: 'kim@example.com' };
    const post = (server: Tapbench) =>
      server.api('POST', '/v1/customers', body, { 'idempotency-key': 'order-1' });

    // The work waits for a lock, so that the claim is there and the answer is not.
    const unlock = await lockTable(store, 'customers');
    const lost = orUndefined(post(first));
    await waitFor('the claim', () => store.get('SELECT 1 FROM idempotency_keys WHERE status IS NULL'));
    await first.kill();
    expect(await lost).toBeUndefined();
    unlock();

    const early = await post(second);
    expect([early.status, early.headers['retry-after']]).toEqual([409, '1']);
    const done = await waitFor('the lease to end', async () => {
      const answer = await post(second);
      return answer.status === 409 ? undefined : answer;
    });
    expect([done.status, done.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(await store.get('SELECT count(*) AS n FROM customers')).toEqual({ n: 1 });
    await first.restart();
    const again = await post(first);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([done.body, 'true']);
    await store.close();
  },
);
