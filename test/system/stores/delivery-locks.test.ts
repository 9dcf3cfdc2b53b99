import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import {
  insertDeliveries,
  saveEnded,
  type DeliveryKey,
} from '../../../server/platform/outbox/delivery.records.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const KEYS: readonly DeliveryKey[] = ['evt_1', 'evt_2', 'evt_3'].map((eventId) => ({
  eventId,
  webhookId: 'wh_1',
}));

test('deliveries: servers that end the same ones in another order lock them in one order, and do not lock each other out', async () => {
  const store = await openStore({ databaseUrl: await server.freshDatabase(), log: silentLog });
  onTestFinished(() => store.close());
  await store.transaction(async (tx) => insertDeliveries(tx, KEYS), { guardedBy: [] });
  let begun = 0;
  const end = (keys: readonly DeliveryKey[]) =>
    store.transaction(
      (tx) => {
        begun += 1;
        return saveEnded(
          tx,
          keys.map((key) => ({ ...key, scheduledBefore: 0, now: ACKNOWLEDGED })),
        );
      },
      { guardedBy: ['deliveryAttempts'] },
    );
  const waiting = (count: number) =>
    waitFor(`${count} transactions to wait for a lock`, async () => {
      const rows = await store.all(`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
      return rows.length === count;
    });
  const ends = await store.transaction(
    async (tx) => {
      await tx.get(`SELECT 1 FROM deliveries WHERE event_id = ? FOR UPDATE`, KEYS[0]!.eventId);
      const first = end(KEYS);
      await waiting(1);
      const second = end(KEYS.toReversed());
      await waiting(2);
      return [first, second];
    },
    { guardedBy: [] },
  );
  const saved = (await Promise.all(ends)).map((each) => each.length);
  expect({ saved, begun }).toEqual({ saved: [KEYS.length, 0], begun: 2 });
});

const ACKNOWLEDGED = {
  state: 'Acknowledged',
  attempts: 1,
  sentAgain: 0,
  lastStatus: '200',
  line: '',
  endedMs: 1,
} as const;
