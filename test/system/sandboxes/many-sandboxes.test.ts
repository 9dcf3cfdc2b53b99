import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { countFrom } from '../../kit/count-from.ts';
import type { Answer, Json } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startPostgres } from '../stores/postgres-server.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

/** Sandboxes beside each other, each with an online payment; the first of them also have one at their terminals. */
const SANDBOXES = countFrom('SANDBOXES', 24);
const AT_TERMINALS = 6;

/** Those of a server: for `default`, and for all sandboxes together. */
const CONNECTIONS_MAX = 32;

const SECONDS = 30 + 2 * SANDBOXES;

test(
  'PostgreSQL: payments in many sandboxes at once, each in its own, over a fixed number of connections; all are deleted',
  async () => {
    const postgres = await startPostgres();
    fixture.onCleanUp(() => postgres.stop());
    const tapbench = await fixture.tapbench({ env: { DATABASE_URL: postgres.url } });
    const database = new pg.Client({ connectionString: postgres.url, application_name: 'test' });
    await database.connect();
    fixture.onCleanUp(() => database.end());
    const count = async (sql: string) => (await database.query(sql)).rows[0].count as number;
    const connections = () =>
      count(`SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'tapbench'`);

    const names = Array.from({ length: SANDBOXES }, (_, index) => `team-${index}`);
    const sandboxes = await Promise.all(
      names.map(async (name) => good(await tapbench.api('POST', '/sandboxes', { name }))),
    );
    const amountOf = (sandbox: Json) => 1_000 + sandboxes.indexOf(sandbox);
    const call = async (sandbox: Json, method: string, path: string, body?: object) =>
      tapbench.api(method, path, body, { authorization: sandbox.secretKey });

    const payOnline = async (sandbox: Json) => {
      const session = { amount: amountOf(sandbox), currency: 'GBP', customerEmail: 'sam@example.com' };
      const { clientSecret } = good(await call(sandbox, 'POST', '/v1/payment-sessions', session));
      const cardDetails = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };
      const attempt = { clientSecret, cardDetails };
      const paid = good(await call(sandbox, 'POST', '/v1/payment-sessions/attempt-payment', attempt));
      expect(paid.status).toBe('Captured');
    };
    const payAtTerminal = async (sandbox: Json) => {
      const path = `/v1/in-person/terminals/${sandbox.terminals[0].id}`;
      const body = { amounts: { requested: 5_000 + amountOf(sandbox) }, currency: 'GBP' };
      await waitFor(
        `the terminal of ${sandbox.name} to take a payment`,
        async () => (await call(sandbox, 'POST', `${path}/payment`, body)).status === 200,
        SECONDS * 1_000,
      );
      await waitFor(
        `the payment at the terminal of ${sandbox.name}`,
        async () => good(await call(sandbox, 'GET', path)).action.status === 'Succeeded',
        SECONDS * 1_000,
      );
    };
    await Promise.all([...sandboxes.map(payOnline), ...sandboxes.slice(0, AT_TERMINALS).map(payAtTerminal)]);

    expect(await connections()).toBeLessThanOrEqual(CONNECTIONS_MAX);
    for (const [index, sandbox] of sandboxes.entries()) {
      const { items } = good(await call(sandbox, 'GET', '/v1/payment-sessions?ascending=true'));
      const paid = items.map(({ amount, status }: Json) => [status, amount]).toSorted();
      const expected = [['Captured', 1_000 + index]];
      if (index < AT_TERMINALS) expected.push(['Captured', 6_000 + index]);
      expect([sandbox.name, paid]).toEqual([sandbox.name, expected]);
    }

    await Promise.all(names.map(async (name) => good(await tapbench.api('DELETE', `/sandboxes/${name}`))));
    expect(await count(`SELECT count(*)::int FROM pg_namespace WHERE nspname LIKE 'sandbox\\_team%'`)).toBe(
      0,
    );
    expect(await count('SELECT count(*)::int FROM sandboxes')).toBe(0);
    const { stderr } = await tapbench.kill('SIGTERM');
    expect(stderr).toBe('');
  },
  SECONDS * 1_000,
);

function good({ status, body }: Answer): Json {
  expect([status, body.errors]).toEqual([200, undefined]);
  return body;
}
