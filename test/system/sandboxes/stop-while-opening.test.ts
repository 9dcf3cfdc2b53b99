import { afterAll, beforeAll, expect, test } from 'vitest';
import { askToStop, readRunningProcess } from '../../../cli/data-folder/stop-port.ts';
import { SystemClock } from '../../../protocol/clock.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startPostgres, type PostgresServer } from '../stores/postgres-server.ts';

const fixture = createSystemFixture();
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(async () => {
  await fixture.cleanUp();
  await server.stop();
});

/** A server with a fork that is being opened for a request: a fault loses what its terminal reports, so that it never comes online. */
async function openingServer(engine: string) {
  const url = engine === 'SQLite' ? {} : { DATABASE_URL: await server.freshDatabase() };
  const tapbench = await fixture.tapbench({ env: { ...url, LOG_LEVEL: 'debug' } });
  const lost = { at: 'message.report', what: 'lost', when: { message: 'presence', times: 1_000 } };
  const plan = await tapbench.api('POST', '/sandbox/faults', { faults: [lost] });
  const { body } = await tapbench.api('POST', '/sandboxes', { name: 'fork', from: 'default' });
  expect([plan.status, body.name]).toEqual([200, 'fork']);
  const asked = tapbench.api('GET', '/v1/in-person/terminals', undefined, { authorization: body.secretKey });
  await waitFor('the fork to be opened', () => tapbench.child.stderr.includes('a sandbox was opened'));
  return { tapbench, asked };
}

test.each(['SQLite', 'PostgreSQL'])(
  'stop on %s: a server that is asked to stop refuses the request that waits for the terminals of its sandbox, and waits for none',
  async (engine) => {
    const { tapbench, asked } = await openingServer(engine);
    // As `tapbench down` does, which may take longer to start than the server waits for a terminal.
    const running = readRunningProcess(tapbench.dataDir!)!;
    const stopped = askToStop(running, { clock: new SystemClock(), timeoutMs: 30_000 });
    expect(await asked).toMatchObject({
      status: 503,
      body: { errors: [{ message: 'the server is shutting down: retry later' }] },
    });
    expect([await stopped, (await tapbench.child.ended).code]).toEqual(['stopped', 0]);
    expect(tapbench.child.stderr).not.toMatch(/"level":50/);
  },
);
