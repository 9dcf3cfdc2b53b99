import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { orUndefined } from '../stores/kill-points.ts';
import { lockTable } from '../stores/locked-table.ts';
import { startPostgres, type PostgresServer } from '../stores/postgres-server.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const KILL_AFTER_RENAME = fileURLToPath(new URL('./kill-after-rename.mjs', import.meta.url));

const fixture = createSystemFixture();
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await fixture.cleanUp();
  await postgres.stop();
});

const SNAPSHOTS = '/sandboxes/default/snapshots';

/** What is made outside the store of the answer, and the last step of making it. */
const MADE = [
  {
    what: 'a sandbox',
    path: '/sandboxes',
    list: '/sandboxes',
    renamed: 'sandbox-[0-9a-f]{8}$',
    table: 'sandboxes',
  },
  { what: 'a snapshot', path: SNAPSHOTS, list: SNAPSHOTS, renamed: 'gz$', table: 'sandbox_snapshots' },
];

const request = ({ api }: Tapbench, path: string) => api('POST', path, {}, { 'idempotency-key': 'run-1' });

const nameOf = ({ name, id }: { name?: string; id?: string }) => name ?? id;

/** Returns the names or ids of what is there besides the sandbox `default`. */
async function made({ api }: Tapbench, list: string): Promise<unknown[]> {
  const { items } = (await api('GET', list)).body as { items: { name?: string; id?: string }[] };
  return items.map(nameOf).filter((name) => name !== 'default');
}

describe.each(MADE)('idempotency keys: $what', ({ path, list, renamed, table }) => {
  test('is made once when the server is killed before it keeps the answer', { timeout: 60_000 }, async () => {
    const tapbench = await fixture.tapbench({
      command: 'server',
      env: { NODE_OPTIONS: `--import=${KILL_AFTER_RENAME}`, KILL_AFTER_RENAME: renamed },
    });
    expect(await orUndefined(request(tapbench, path))).toBeUndefined();
    await tapbench.child.ended;
    await tapbench.restart();

    const left = await made(tapbench, list);
    const answer = await request(tapbench, path);
    expect([answer.status, [nameOf(answer.body)]]).toEqual([200, left]);
    expect(await made(tapbench, list)).toEqual(left);
    const again = await request(tapbench, path);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([answer.body, 'true']);
    await expectKeys(tapbench, answer.body);
  });

  test(
    'is made once by two servers on PostgreSQL when one is killed before it keeps the answer',
    { timeout: 90_000 },
    async () => {
      const databaseUrl = await postgres.freshDatabase();
      const [first, second] = await twoServers(databaseUrl);
      const store = await openStore({ databaseUrl, log: silentLog });
      fixture.onCleanUp(() => store.close());

      // The work waits for its table until the answer has to wait for its own.
      const unlockWork = await lockTable(store, table);
      const lost = orUndefined(request(first, path));
      await waitFor('the claim', () => store.get('SELECT 1 FROM idempotency_keys WHERE status IS NULL'));
      const unlockAnswer = await lockTable(store, 'idempotency_keys');
      unlockWork();
      await waitFor('the work', () => store.get(`SELECT 1 FROM ${table}`));
      await first.kill();
      unlockAnswer();
      expect(await lost).toBeUndefined();

      const left = await made(second, list);
      const answer = await waitFor('the lease to end', async () => {
        const reply = await request(second, path);
        return reply.status === 409 ? undefined : reply;
      });
      expect([answer.status, [nameOf(answer.body)]]).toEqual([200, left]);
      expect(await made(second, list)).toEqual(left);
      await expectKeys(second, answer.body);
    },
  );
});

async function twoServers(databaseUrl: string): Promise<[Tapbench, Tapbench]> {
  const env = {
    SECRET_KEY: 'sk_sandbox_0123456789abcdef0123456789abcdef',
    PUBLIC_KEY: 'pk_sandbox_0123456789abcdef0123456789abcdef',
    PAIRING_SECRET: 'a pairing secret that both servers have, long enough',
    DATABASE_URL: databaseUrl,
  };
  return [
    await fixture.tapbench({ command: 'server', env }),
    await fixture.tapbench({ command: 'server', env }),
  ];
}

/** Expects that the secret key in the answer, where it has one, opens the sandbox. */
async function expectKeys({ api }: Tapbench, { secretKey }: { secretKey?: string }): Promise<void> {
  if (secretKey === undefined) return;
  expect((await api('GET', '/v1/customers', undefined, { authorization: secretKey })).status).toBe(200);
}
