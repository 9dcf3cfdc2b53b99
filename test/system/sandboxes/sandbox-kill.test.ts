import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delay } from '../../../protocol/clock.ts';
import { fraction, seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { createAcknowledgedObjects, type AcknowledgedObjects } from '../stores/acknowledged-objects.ts';
import { startPostgres } from '../stores/postgres-server.ts';
import { createSandboxLoad, type SandboxLoad } from './sandbox-load.ts';
import { sandboxesInDatabase, sandboxesInFolder, type StoredSandboxes } from './stored-sandboxes.ts';
import { createSystemFixture, type SystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { realTime, waitFor } from '../kit/wait-for.ts';
import { countFrom } from '../../kit/count-from.ts';

/** Another seed is other moments, and more kills take longer: `SEED=two npm run prove:kills`. */
const SEED = process.env['SEED'] ?? 'one';
const KILLS = countFrom('KILLS', 6);

interface Started {
  tapbench: Tapbench;
  stored: StoredSandboxes;
}

async function startOnSqlite(fixture: SystemFixture): Promise<Started> {
  const tapbench = await fixture.tapbench();
  return { tapbench, stored: sandboxesInFolder(tapbench.dataDir!) };
}

async function startOnPostgres(fixture: SystemFixture): Promise<Started> {
  const postgres = await startPostgres();
  fixture.onCleanUp(() => postgres.stop());
  const tapbench = await fixture.tapbench({ env: { DATABASE_URL: postgres.url } });
  const store = await openStore({ databaseUrl: postgres.url, log: silentLog });
  fixture.onCleanUp(() => store.close());
  return { tapbench, stored: sandboxesInDatabase(store, tapbench.dataDir!) };
}

// From the fifth on, sandboxes are deleted too.
const CHANGES_MAX = 10;

// Longer than a change takes on a machine that does nothing else, and on PostgreSQL, the filling of the pool.
const ENGINES: [string, { start: (fixture: SystemFixture) => Promise<Started>; killMsMax: number }][] = [
  ['SQLite', { start: startOnSqlite, killMsMax: 50 }],
  ['PostgreSQL', { start: startOnPostgres, killMsMax: 300 }],
];

describe.each(ENGINES)('sandboxes on %s', (engine, { start, killMsMax }) => {
  const fixture = createSystemFixture();
  let tapbench: Tapbench;
  let load: SandboxLoad;
  let objects: AcknowledgedObjects;
  beforeAll(async () => {
    const started = await start(fixture);
    tapbench = started.tapbench;
    load = createSandboxLoad(tapbench, started.stored);
    objects = createAcknowledgedObjects(tapbench);
    await load.keep('kept-source');
    await load.save();
    await load.keep('kept-idle');
  });
  afterAll(() => fixture.cleanUp());

  const random = seededRandom(`${SEED} sandboxes ${engine}`);
  const below = (max: number) => Math.floor(fraction(random) * max);
  const moments = Array.from({ length: KILLS }, () => [below(CHANGES_MAX), below(killMsMax)] as const);

  test.each(moments)(
    'killed after %i are created, forked, restored or deleted, and %i ms, each is whole or absent',
    async (changes, ms) => {
      const busy = Promise.all([load.run(), objects.create()]);
      await waitFor('the changes before the kill', () => load.acknowledged >= changes);
      await delay(realTime, ms);
      await tapbench.kill();
      await busy;
      await tapbench.restart();
      await load.check();
      await objects.check();
    },
  );

  test('some of the kills interrupted a change, and payments survived them', () => {
    expect(load.interrupted.whole + load.interrupted.absent).toBeGreaterThanOrEqual(KILLS);
    expect(load.paymentsFound).toBeGreaterThan(0);
  });
});
