import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createIds, seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createRequestLog } from '../../../server/platform/request-log/request-log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { startWorld } from '../../../testing/world/world.ts';
import { finishedRequest } from '../../server/platform/request-log/finished-request.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

test('reset: requests that ended before it and that another server has still to store are left out, later ones are not', async () => {
  const store = await openStore({ databaseUrl: await server.freshDatabase(), log: silentLog });
  const world = await startWorld({ engines: { store } });
  onTestFinished(() => world.close());
  const { realClock, observers } = world.server.services;
  const ids = createIds(realClock, seededRandom('another server'));
  const limits = { countMax: 100, days: 7 };
  const other = createRequestLog({ store, realClock, log: silentLog, observers, ids, limits });
  const nowMs = realClock.nowMs();
  const requestAt = (url: string, receivedMs: number, elapsedMs = 0) =>
    other.add({ ...finishedRequest({ url, receivedMs }), elapsedMs });
  requestAt('/before', nowMs - 1_000);
  requestAt('/during', nowMs - 1_000, 2_000);
  requestAt('/after', nowMs + 1_000);
  expect((await world.api.post('/sandbox/reset')).status).toBe(200);
  await other.flush();
  const stored = await store.all(`SELECT path FROM requests WHERE path IN ('/before', '/during', '/after')`);
  expect(stored.map(({ path }) => path)).toEqual(['/during', '/after']);
});
