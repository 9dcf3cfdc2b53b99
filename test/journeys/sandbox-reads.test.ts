import { expect, test } from 'vitest';
import type { Store } from '../../server/platform/store/store.ts';
import { startWorld } from '../../testing/world/world.ts';
import { recordQueries, type RecordingStore } from '../kit/query-plans.ts';
import { everySandboxRead } from './every-sandbox-read.ts';
import { earn, EARNED_MINUTES, oneOfEach } from './one-of-each.ts';
import { READ_MORE, READ_WHOLE_IN_SANDBOX } from './statements-that-scan.ts';

const START_MS = Date.parse('2026-04-07T09:00:00Z');

test('store: no statement reads or sorts more rows for what /sandbox and the dashboard show', async () => {
  let watched: RecordingStore;
  const world = await startWorld({
    startMs: START_MS,
    aroundStore: (store: Store) => (watched = recordQueries(store)).store,
    settings: {
      requestLog: { countMax: 10_000, days: 30 },
      timelines: { countMax: 1_000 },
      retentionDays: 365,
      idempotencyKeys: 'on',
    },
  });
  try {
    const { payoutMethodId } = await earn(world, world.platformId);
    const sub = await earn(world, world.subAccountId);
    await world.advance({ minutes: EARNED_MINUTES });
    await oneOfEach(world, world.platformId, payoutMethodId, world.subAccountId);
    await oneOfEach(world, world.subAccountId, sub.payoutMethodId, world.subAccountId);
    await everySandboxRead(world, watched!.readsList);
    expect(watched!.statementCount()).toBeGreaterThan(300);
    if (world.server.services.store.engine === 'postgres')
      expect(await watched!.growingStatements(READ_MORE)).toEqual([]);
    else expect(await watched!.slowStatements(READ_WHOLE_IN_SANDBOX)).toEqual([]);
  } finally {
    await world.close();
  }
}, 300_000);
