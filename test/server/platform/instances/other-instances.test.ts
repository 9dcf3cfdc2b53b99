import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { recordInstance, untilOthersFollow } from '../../../../server/platform/instances/other-instances.ts';
import { LEASE_MS } from '../../../../server/platform/instance-lease.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import type { Queries, Row, Store } from '../../../../server/platform/store/store.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { readableLog } from '../../../contract/peer.ts';

const NOW_MS = Date.UTC(2026, 2, 1);
const OFFSET_MS = 5_000.5;
/** No other server is waited for longer. */
const LONGEST_MS = 2_000;

let store: Store;
let realClock: VirtualClock;
beforeEach(async () => {
  store = await openStore({ path: ':memory:', log: silentLog });
  realClock = new VirtualClock(NOW_MS);
  onTestFinished(() => store.close());
});

const record = (id: string, offsetMs: number | null, seenMs = NOW_MS) =>
  store.transaction((tx) => recordInstance(tx, id, seenMs, offsetMs), { guardedBy: [] });

/** Waits as the server `this` does that has advanced the clock. */
function waiting(queries: Pick<Queries, 'get'> = store) {
  const { log, lines } = readableLog();
  const seen = { isOver: false, lines };
  const services = { store: { ...store, ...queries }, realClock, log };
  void untilOthersFollow(services, { instanceId: 'this', offsetMs: OFFSET_MS }).then(
    () => (seen.isOver = true),
  );
  return seen;
}

test('untilOthersFollow: resolves once each other server that runs has taken over the offset', async () => {
  await record('this', 0);
  await record('first', 0);
  await record('second', null);
  const seen = waiting();
  await realClock.advance(500);
  await record('first', 5_000);
  await realClock.advance(500);
  expect(seen.isOver).toBe(false);
  await record('second', 5_000);
  await realClock.advance(100);
  expect(seen).toEqual({ isOver: true, lines: [] });
});

test('untilOthersFollow: waits for no server that has ended, and for none that is further', async () => {
  await record('ended', 0, NOW_MS - LEASE_MS - 1);
  await record('further', 6_000);
  const seen = waiting();
  await realClock.advance(0);
  expect(seen.isOver).toBe(true);
});

test('untilOthersFollow: waits for a server that does not follow as long as the others may take', async () => {
  await record('hangs', 0);
  const seen = waiting();
  await realClock.advance(LONGEST_MS - 1);
  expect(seen.isOver).toBe(false);
  await realClock.advance(100);
  expect(seen.isOver).toBe(true);
});

test('untilOthersFollow: resolves with a warning when the store fails while it waits', async () => {
  await record('hangs', 0);
  let reads = 0;
  const seen = waiting({
    async get<R extends Row>(sql: string, ...values: (string | number | null)[]) {
      if ((reads += 1) > 1) throw new Error('the database is away');
      return store.get<R>(sql, ...values);
    },
  });
  await realClock.advance(100);
  expect(seen.isOver).toBe(true);
  expect(seen.lines).toMatchObject([{ level: 40, reason: 'the database is away' }]);
});
