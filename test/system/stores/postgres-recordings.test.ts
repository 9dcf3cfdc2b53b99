import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { insertTimelines } from '../../../server/dashboard/history/action-timeline.records.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import type { JsonText } from '../../../server/platform/store/json-text.ts';
import { readTrace } from '../../../server/traces/trace-file.ts';
import { startWorld } from '../../../testing/world/world.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const CUSTOMERS = 250;

test('PostgreSQL recordings: one begins with all rows of one moment, while others are written, and has what followed', async () => {
  const store = await openStore({ databaseUrl: await server.freshDatabase(), log: silentLog });
  const world = await startWorld({ engines: { store } });
  onTestFinished(() => world.close());
  const create = (index: number) =>
    world.api.post('/v1/customers', { email: `c${index}@corner.example`, firstName: 'Ana' });
  for (let index = 0; index < CUSTOMERS; index += 1) await create(index);
  const [recording] = await Promise.all([
    world.server.services.recordings!.startUnlisted('busy'),
    create(CUSTOMERS),
    create(CUSTOMERS + 1),
  ]);
  await create(CUSTOMERS + 2);
  const { snapshot, items } = await readTrace(await recording.file());

  const begin = snapshot.lines.findIndex((line) => (line as { table?: string }).table === 'customers');
  const rest = snapshot.lines.slice(begin + 1);
  const rows = rest.slice(
    0,
    rest.findIndex((line) => !Array.isArray(line)),
  );
  expect(rows.length).toBeGreaterThanOrEqual(CUSTOMERS);
  expect(rows.length).toBeLessThanOrEqual(CUSTOMERS + 2);
  const calls = items.filter((item) => item.kind === 'call' && item.url === '/v1/customers');
  // Those that were under way when it began may be in neither.
  expect(calls.at(-1)).toMatchObject({ body: { json: { email: `c${CUSTOMERS + 2}@corner.example` } } });
  expect(snapshot.lines.at(-1)).toHaveProperty('terminals');
});

test('PostgreSQL timelines: the latest are kept that fit into the limits, in number and in bytes', async () => {
  const store = await openStore({ databaseUrl: await server.freshDatabase(), log: silentLog });
  onTestFinished(() => store.close());
  for (let id = 1; id <= 5; id += 1) {
    const entries = JSON.stringify('x'.repeat(998)) as JsonText<never>;
    const rows = [{ action_id: `a${id}`, recording: '', entries }];
    await store.transaction(
      (tx) => insertTimelines(tx, store.engine, rows, { countMax: 4, bytesMax: 2_500 }),
      { guardedBy: ['latestRows'] },
    );
  }
  const rows = await store.all<{ id: string }>('SELECT action_id AS id FROM action_timelines ORDER BY seq');
  expect(rows).toEqual([{ id: 'a4' }, { id: 'a5' }]);
});
