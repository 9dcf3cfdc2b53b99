import { afterEach, beforeEach, expect, test } from 'vitest';
import { createIds, seededRandom } from '../../../../protocol/ids.ts';
import { createLog } from '../../../../protocol/log.ts';
import { createObservers } from '../../../../server/platform/observers.ts';
import { createRequestLog } from '../../../../server/platform/request-log/request-log.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import type { Store } from '../../../../server/platform/store/store.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { finishedRequest } from './finished-request.ts';

const DAY_MS = 86_400_000;

let store: Store;
let clock: VirtualClock;
let logged: string[];

beforeEach(async () => {
  logged = [];
  const log = createLog({ level: 'warn', destination: { write: (line: string) => void logged.push(line) } });
  store = await openStore({ path: ':memory:', log });
  await store.run('DELETE FROM requests');
  clock = new VirtualClock(Date.UTC(2026, 0, 5));
});
afterEach(() => store.close());

function openLog(countMax: number, days = 7, on = store) {
  const log = createLog({ level: 'warn', destination: { write: (line: string) => void logged.push(line) } });
  const ids = createIds(clock, seededRandom('requests'));
  const observers = createObservers({ log, clock });
  return createRequestLog({ store: on, realClock: clock, log, observers, ids, limits: { countMax, days } });
}

async function storedPaths(): Promise<unknown[]> {
  return (await store.all('SELECT path FROM requests ORDER BY seq')).map(({ path }) => path);
}

const numbered = (number: number) => finishedRequest({ url: `/v1/${number}`, receivedMs: clock.nowMs() });

test('request log: stores a request a moment after it was added', async () => {
  const log = openLog(10);
  log.add(numbered(1));
  expect(await storedPaths()).toEqual([]);
  await clock.advance(100);
  await log.flush();
  expect(await storedPaths()).toEqual(['/v1/1']);
});

test('request log: writes at most a hundred requests at a time', async () => {
  const log = openLog(1_000);
  for (let number = 0; number < 150; number += 1) log.add(numbered(number));
  await clock.advance(100);
  while (!log.idle()) await new Promise((resolve) => setImmediate(resolve));
  expect(await storedPaths()).toHaveLength(100);
  await log.flush();
  expect(await storedPaths()).toHaveLength(150);
});

test('request log: while more than a thousand arrive each second it stores a hundred, and then all that wait', async () => {
  const log = openLog(10_000);
  const idle = async () => {
    while (!log.idle()) await new Promise((resolve) => setImmediate(resolve));
  };
  for (let number = 0; number < 300; number += 1) log.add(numbered(number));
  await clock.advance(100);
  await idle();
  await clock.advance(900);
  expect(await storedPaths()).toHaveLength(100);
  await clock.advance(100);
  await idle();
  await clock.advance(100);
  await idle();
  expect(await storedPaths()).toHaveLength(300);
});

test('request log: while more than a thousand arrive each second it takes a hundred of them, and each that is refused', async () => {
  const log = openLog(10_000);
  const arrive = (count: number, status: number | null) => {
    let taken = 0;
    for (let number = 0; number < count; number += 1) {
      if (!log.takes(status)) continue;
      log.add(numbered(number));
      taken += 1;
    }
    return taken;
  };
  expect(arrive(300, 200)).toBe(300);
  await clock.advance(100);
  await log.flush();
  expect(arrive(2_000, 200)).toBe(100);
  expect([arrive(50, 404), arrive(50, null), arrive(50, 200)]).toEqual([50, 50, 0]);
  await clock.advance(1_000);
  await log.flush();
  expect(arrive(300, 200)).toBe(100);
  await clock.advance(1_000);
  await log.flush();
  expect(arrive(300, 200)).toBe(300);
});

test('request log: of the requests that wait at most two thousand are stored, the latest', async () => {
  const log = openLog(10_000);
  for (let number = 1; number <= 2_005; number += 1) log.add(numbered(number));
  await log.flush();
  const paths = await storedPaths();
  expect([paths.length, paths[0], paths.at(-1)]).toEqual([2_000, '/v1/6', '/v1/2005']);
});

test('request log: the oldest requests over the limit are deleted', async () => {
  const log = openLog(3);
  for (let number = 1; number <= 5; number += 1) {
    log.add(numbered(number));
    await log.flush();
  }
  expect(await storedPaths()).toEqual(['/v1/3', '/v1/4', '/v1/5']);
});

test('request log: of more waiting requests than the limit the latest are stored', async () => {
  const log = openLog(3);
  for (let number = 1; number <= 5; number += 1) log.add(numbered(number));
  await log.flush();
  expect(await storedPaths()).toEqual(['/v1/3', '/v1/4', '/v1/5']);
});

test('request log: large requests that wait for the store leave out the oldest of them', async () => {
  const log = openLog(100);
  const answer = 'x'.repeat(20_000_000);
  for (const number of [1, 2]) log.add({ ...numbered(number), answer });
  await log.flush();
  expect(await storedPaths()).toEqual(['/v1/2']);
});

test('request log: requests are deleted after their days', async () => {
  const log = openLog(100, 2);
  log.add(numbered(1));
  await log.flush();
  await clock.advance(DAY_MS);
  log.add(numbered(2));
  await log.flush();
  await clock.advance(DAY_MS + 1);
  log.add(numbered(3));
  await log.flush();
  expect(await storedPaths()).toEqual(['/v1/2', '/v1/3']);
  expect(log.expiredBeforeMs()).toBe(clock.nowMs() - 2 * DAY_MS);
});

test('request log: stop stores what waits', async () => {
  const log = openLog(1_000);
  for (let number = 0; number < 120; number += 1) log.add(numbered(number));
  await log.stop();
  expect(await storedPaths()).toHaveLength(120);
});

test('request log: clear forgets what waits', async () => {
  const log = openLog(1_000);
  log.add(numbered(1));
  log.clear();
  await log.stop();
  expect(await storedPaths()).toEqual([]);
});

test('request log: clear forgets what was stored while the reset ran', async () => {
  const log = openLog(1_000);
  log.add(numbered(1));
  await log.flush();
  log.clear();
  await log.flush();
  expect(await storedPaths()).toEqual([]);
});

test('request log: clear forgets what is being stored', async () => {
  let goOn!: () => void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const slow: Store = Object.assign(Object.create(store) as Store, {
    transaction: (...request: Parameters<Store['transaction']>) =>
      held.then(() => store.transaction(...request)),
  });
  const log = openLog(1_000, 7, slow);
  log.add(numbered(1));
  await clock.advance(100);
  expect(log.idle()).toBe(false);
  log.clear();
  log.add(numbered(2));
  goOn();
  await log.flush();
  expect(await storedPaths()).toEqual(['/v1/2']);
});

test('request log: a store that cannot write is logged once, and requests are stored once it can', async () => {
  let isFull = true;
  const full: Store = Object.assign(Object.create(store) as Store, {
    transaction: (...request: Parameters<Store['transaction']>) =>
      isFull ? Promise.reject(new Error('disk full')) : store.transaction(...request),
  });
  const log = openLog(100, 7, full);
  for (const number of [1, 2]) {
    log.add(numbered(number));
    await log.flush();
  }
  isFull = false;
  log.add(numbered(3));
  await log.flush();
  expect(await storedPaths()).toEqual(['/v1/3']);
  expect(logged.filter((line) => line.includes('disk full'))).toHaveLength(1);
});
