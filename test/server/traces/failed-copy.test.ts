import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../../protocol/failures.ts';
import type { Queries, Store, Transaction } from '../../../server/platform/store/store.ts';
import { startRecording, type RecordedServer } from '../../../server/traces/recording.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

const LIMITS = { items: 100, characters: 100_000 };

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

/** The server of the world with another store, and the number of those who listen to its timelines. */
function recordedWith(store: Store) {
  let listeners = 0;
  const { services, dashboard } = world.server;
  const server: RecordedServer = {
    services: { ...services, store },
    dashboard: {
      parts: dashboard.parts,
      timelineLog: {
        ...dashboard.timelineLog,
        listen(...given) {
          const unlisten = dashboard.timelineLog.listen(...given);
          listeners += 1;
          return () => {
            listeners -= 1;
            unlisten();
          };
        },
      },
    },
    idle: () => true,
  };
  const start = () => startRecording({ ...server, title: '', limits: LIMITS });
  return { start, listeners: () => listeners };
}

test('recording: one whose copy fails does not go on', async () => {
  const { store } = world.server.services;
  const { start, listeners } = recordedWith({
    ...store,
    async copyTo(_path, before) {
      await before?.();
      throw new Fault('store', 'a copy cannot be written: no space');
    },
  });
  await expect(start()).rejects.toThrow('no space');
  expect(listeners()).toBe(0);
});

test('recording: one whose copy a database undoes and makes again has what happened after the last copy, once', async () => {
  const { store } = world.server.services;
  let copies = 0;
  const repeating = (async (body: (tx: Transaction) => Promise<unknown>) => {
    // SQLite takes none of the settings of a transaction of PostgreSQL.
    const queries: Queries = { get: store.get, all: store.all, run: async () => ({ changes: 0 }) };
    for (copies = 1; copies < 2; copies += 1) {
      await body(queries as Transaction);
      await world.api.get('/v1/customers');
    }
    return body(queries as Transaction);
  }) as Store['transaction'];
  const { copyTo: _, ...withoutFile } = store;
  const { start, listeners } = recordedWith({ ...withoutFile, transaction: repeating });
  const recording = await start();
  expect([copies, listeners()]).toEqual([2, 1]);
  await world.api.get('/v1/webhooks');
  const { items, snapshot } = await recording.stop();
  const calls = items.flatMap((item) => (item.kind === 'call' ? [item.url] : []));
  expect(calls).toEqual(['/v1/webhooks']);
  expect(snapshot.lines).toContainEqual(expect.objectContaining({ table: 'accounts' }));
  expect(listeners()).toBe(0);
});
