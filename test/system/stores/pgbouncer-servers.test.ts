import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startPgBouncer, type PoolSettings } from './pgbouncer-server.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

const fixture = createSystemFixture();
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const KEYS = {
  SECRET_KEY: 'sk_sandbox_0123456789abcdef0123456789abcdef',
  PUBLIC_KEY: 'pk_sandbox_0123456789abcdef0123456789abcdef',
  PAIRING_SECRET: 'a pairing secret that both servers have, long enough',
};

async function payAtTerminal({ api, terminals }: Tapbench): Promise<void> {
  const terminal = terminals[0]!.id;
  const payment = { amounts: { requested: 1742 }, currency: 'GBP' };
  const started = await api('POST', `/v1/in-person/terminals/${terminal}/payment`, payment);
  expect(started.status).toBe(200);
  const session = started.body.action.transaction.paymentSessionId;
  const status = async () => (await api('GET', `/v1/payment-sessions/${session}`)).body.status;
  await waitFor('the payment to be captured', async () => (await status()) === 'Captured');
}

// In transaction mode fewer connections than one server uses; in session mode as many as both use, since each of theirs
// keeps one of PostgreSQL.
const POOLS: (PoolSettings & { env?: Record<string, string> })[] = [
  { mode: 'transaction', connections: 2 },
  { mode: 'session', connections: 18, env: { DATABASE_CONNECTIONS: '4' } },
];

test.each(POOLS)(
  'PgBouncer in $mode mode: two servers take payments and have the same sandboxes, whose objects stay apart',
  async (pool) => {
    const pooler = await startPgBouncer(server.url, pool);
    onTestFinished(async () => {
      await fixture.cleanUp();
      await pooler.stop();
    });
    const env = { ...KEYS, ...pool.env, DATABASE_URL: pooler.through(await server.freshDatabase()) };
    const first = await fixture.tapbench({ env });
    const second = await fixture.tapbench({ command: 'server', env });
    const create = async (name: string, from?: string) => {
      const { status, body } = await first.api('POST', '/sandboxes', { name, from });
      expect([status, body.errors]).toEqual([200, undefined]);
      return body.secretKey as string;
    };
    const keys = {
      default: first.secretKey,
      one: await create('one'),
      two: await create('two'),
      fork: await create('fork', 'one'),
    };
    const paying = payAtTerminal(first);

    const emails = Array.from({ length: 12 }, (_, index) => `buyer${index}@corner.example`);
    await Promise.all(
      Object.entries(keys).flatMap(([name, authorization]) =>
        emails.map(async (email, index) => {
          const { api } = index % 2 === 0 ? first : second;
          const customer = { email: `${name}.${email}` };
          const { status, body } = await api('POST', '/v1/customers', customer, { authorization });
          expect([name, index, status, body.errors]).toEqual([name, index, 200, undefined]);
        }),
      ),
    );
    await paying;
    for (const { api } of [first, second])
      for (const [name, authorization] of Object.entries(keys)) {
        const { body } = await api('GET', '/v1/customers?limit=50', undefined, { authorization });
        const found = body.items.map(({ email }: { email: string }) => email).toSorted();
        expect([name, found]).toEqual([name, emails.map((email) => `${name}.${email}`).toSorted()]);
      }

    await first.kill('SIGKILL');
    await first.restart();
    await payAtTerminal(first);
    expect((await first.api('DELETE', '/sandboxes/two')).status).toBe(200);
    const { body } = await second.api('GET', '/sandboxes');
    expect(body.items.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'default',
      'fork',
      'one',
    ]);
  },
);
