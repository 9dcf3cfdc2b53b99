import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import type { Store, WriteFailure } from '../../../../server/platform/store/store.ts';
import { watchStore } from '../../../../server/platform/store/store-watch.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

const EXIT_AFTER_MS = 60_000;

/** A store whose writes fail for as long as the test says so. */
async function watched(whenLost = true) {
  const store = await openStore({ path: ':memory:', log: silentLog });
  const realClock = new VirtualClock(0);
  let trouble: WriteFailure | undefined;
  let writes = 0;
  const listeners: (() => void)[] = [];
  const failing: Store = {
    ...store,
    async run(...query) {
      writes++;
      if (trouble) throw new Error(trouble.reason);
      return store.run(...query);
    },
    trouble: { current: () => trouble, onBegin: (listener) => void listeners.push(listener) },
  };
  const lost: string[] = [];
  const run = (reason: string) => void lost.push(`${reason} at ${realClock.nowMs()}`);
  const watch = watchStore({
    store: failing,
    realClock,
    log: silentLog,
    whenLost: whenLost ? { afterMs: EXIT_AFTER_MS, run } : undefined,
  });
  watch.start();
  onTestFinished(async () => {
    watch.stop();
    await store.close();
  });
  return {
    realClock,
    lost,
    writes: () => writes,
    begin(next: WriteFailure) {
      trouble = next;
      for (const listener of listeners) listener();
    },
    end: () => (trouble = undefined),
  };
}

test('store watch: gives up a failing disk once, after its time', async () => {
  const { realClock, lost, begin } = await watched();
  await realClock.advance(5_000);
  begin({ reason: 'EIO', lasting: true });
  await realClock.advance(EXIT_AFTER_MS - 1);
  expect(lost).toEqual([]);
  await realClock.advance(EXIT_AFTER_MS);
  expect(lost).toEqual([`EIO at ${5_000 + EXIT_AFTER_MS}`]);
});

test('store watch: retries a full disk for as long as it takes', async () => {
  const { realClock, lost, writes, begin, end } = await watched();
  begin({ reason: 'full', lasting: false });
  await realClock.advance(10 * EXIT_AFTER_MS);
  expect(lost).toEqual([]);
  end();
  await realClock.advance(2_000);
  const tries = writes();
  await realClock.advance(EXIT_AFTER_MS);
  expect(writes()).toBe(tries);
});

test('store watch: a disk that recovers in time is kept, and its next failure has the whole time again', async () => {
  const { realClock, lost, begin, end } = await watched();
  begin({ reason: 'EIO', lasting: true });
  await realClock.advance(EXIT_AFTER_MS - 4_000);
  end();
  await realClock.advance(10_000);
  begin({ reason: 'EIO', lasting: true });
  await realClock.advance(EXIT_AFTER_MS - 1);
  expect(lost).toEqual([]);
});

test('store watch: without a limit a failing disk is retried only', async () => {
  const { realClock, writes, begin } = await watched(false);
  begin({ reason: 'EIO', lasting: true });
  await realClock.advance(10_000);
  expect(writes()).toBe(5);
});
