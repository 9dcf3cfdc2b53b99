import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { useEngines } from '../../../testing/world/world-options.ts';
import { openExternalEngines } from './external-engines.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** Each world of the journeys has a database and a mosquitto of its own here. */
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
  // Copies of a database that has its tables: creating them takes several times as long.
  const store = await openStore({ databaseUrl: postgres.url, log: silentLog });
  await store.close();
  useEngines(async () => openExternalEngines(await postgres.freshDatabase(postgres.url)));
});
afterAll(() => postgres.stop());

/** Journeys that say nothing here, and why. */
const LEFT_OUT: Record<string, string> = {
  examples: 'they run over a listening server of their own',
  malformed: 'two thousand refusals that reach neither a store nor a broker',
  fleet:
    'a standing clock lets 200 cardholders tap one after another, each waiting for the network; fleet.test.ts has them all at once, in real time',
  'server-link-lost':
    'it cuts the server off from the embedded broker; broker-restart.test.ts restarts a mosquitto under payments',
  'removed-terminal': 'only the embedded broker can be made to cut a connection (docs/protocol.md)',
  'statement-count': 'a serialisable transaction that is retried would count twice',
  'fork-subscription-dispute':
    'a test forks a world only on the embedded store; postgres-sandboxes.test.ts forks sandboxes there',
  scenarios: 'one forks its world, as above; the Python and PHP suites run all of them over HTTP',
  'refused-messages':
    'a broker of one’s own refuses what is on another terminal’s topic by itself, and the server receives none of it',
  'webhook-lab':
    'its times are exact only where a clock that stands waits for the store; retried-posts has faults on these engines',
  'failing-observers':
    'what observes runs in the process of the server, whatever its store is; one of them is there only beside the embedded broker',
  'rate-limit': 'it counts requests on virtual time before anything reaches a store or a broker',
};

const FOLDER = join(import.meta.dirname, '../../journeys');
const JOURNEYS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => file.replace('.test.ts', ''));

test('engines: each journey that is left out exists', () => {
  expect(JOURNEYS).toEqual(expect.arrayContaining(Object.keys(LEFT_OUT)));
});

// The files as they are: what they declare while they are loaded is declared inside.
describe.each(JOURNEYS.filter((name) => !(name in LEFT_OUT)))('engines: %s', async (name) => {
  await import(join(FOLDER, `${name}.test.ts`));
});
