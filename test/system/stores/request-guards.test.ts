import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import type { Store } from '../../../server/platform/store/store.ts';
import { everyInterleaving, ORDERS, ORDERS_WITHOUT_GUARD, type WithoutGuard } from './interleavings.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import type { RequestPair } from './request-races.ts';
import { RACED_REQUESTS } from './raced-requests.ts';
import { withoutIndexes, withoutRow, withoutTableLock } from './without-guards.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

for (const { open, pairs: pairsOfGuards } of RACED_REQUESTS) {
  for (const [guard, pairs] of Object.entries<readonly RequestPair[]>(pairsOfGuards)) {
    test(`guards: ${guard}: one of its pairs is tried without the guard`, () => {
      expect(pairs.some(({ guardOut }) => guardOut)).toBe(true);
    });
    for (const { requests, guardOut, ...race } of pairs) {
      const name = requests.join(' and ');
      test(`guards: ${guard}: ${name}: every order of the statements ends as one after the other`, async () => {
        const { url, store } = await openDatabase();
        const area = await open(url, requests);
        const { tried, wrong, alone, repeated } = await everyInterleaving({
          url,
          store,
          ...area,
          ...race,
          atMost: ORDERS,
          secondLate: guard === 'sandboxReset',
        });
        const accepted = { value: expect.toSatisfy((status) => status === 200 || status === 202) };
        expect(alone, 'each succeeds alone').toEqual([accepted, accepted]);
        expect(tried).toBeGreaterThan(2);
        expect(wrong).toEqual([]);
        if (guard === 'sandboxReset') expect(repeated, 'none waits for what waits for it').toBe(0);
      });
      if (!guardOut) continue;
      test(`guards: ${guard}: ${name}: without the guard some order does not`, async () => {
        const { url, store } = await openDatabase();
        const { contenders, ...rows } = await open(url, requests);
        const [first, second] = contenders;
        const withoutGuard: WithoutGuard = {
          before: (own) => withoutIndexes(own),
          contenders: [withoutRow(first), withoutTableLock(withoutRow(second))],
        };
        const raced = { url, store, ...rows, contenders, withoutGuard, atMost: ORDERS_WITHOUT_GUARD };
        const { wrong } = await everyInterleaving(raced);
        expect(wrong.length).toBeGreaterThan(0);
      });
    }
  }
}

async function openDatabase(): Promise<{ url: string; store: Store }> {
  const url = await server.freshDatabase();
  const store = await openStore({ databaseUrl: url, log: silentLog });
  onTestFinished(() => store.close());
  return { url, store };
}
