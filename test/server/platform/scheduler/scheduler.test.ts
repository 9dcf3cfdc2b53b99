import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import { silentLog } from '../../../../protocol/log.ts';
import type { Job } from '../../../../server/platform/scheduler/jobs.ts';
import { createJobs } from '../../../../server/platform/scheduler/scheduler.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import type { Store } from '../../../../server/platform/store/store.ts';
import { schedulerContract } from '../../../contract/scheduler.contract.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

schedulerContract(() => openStore({ path: ':memory:', log: silentLog }));

async function openWithClock() {
  const store = await openStore({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  const clock = new VirtualClock(1_760_000_000_000);
  return { store, clock };
}

function settleWith(clock: VirtualClock, jobs: { idle(): boolean }): void {
  clock.settleWith(async () => {
    await turn();
    while (!jobs.idle()) await turn();
  });
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('scheduler: waits on one timer for the next due time, and does not query the store', async () => {
  const { store, clock } = await openWithClock();
  let transactions = 0;
  const transaction: Store['transaction'] = (body, options) => {
    transactions++;
    return store.transaction(body, options);
  };
  const jobs = createJobs({
    store: { ...store, transaction },
    clock,
    realClock: clock,
    log: silentLog,
    instanceId: 'one',
  });
  settleWith(clock, jobs);
  jobs.handle('note', (job) => store.transaction((tx) => jobs.finish(tx, job, 'done')));
  jobs.start();
  await clock.advance(0);
  expect(clock.due).toEqual([]);
  const addIn = (ms: number) => {
    const dueMs = clock.nowMs() + ms;
    return store.transaction((tx) => jobs.add(tx, { kind: 'note', key: `${ms}`, dueMs }));
  };
  transactions = 0;
  for (const ms of [500_000, 400_000, 600_000]) await addIn(ms);
  await clock.advance(399_999);
  expect(clock.due).toEqual([clock.nowMs() + 1]);
  expect(transactions).toBe(0);
  await clock.advance(1);
  expect(clock.due).toEqual([clock.nowMs() + 100_000]);
  expect(transactions).toBe(1);
  await jobs.stop();
  expect(clock.due).toEqual([]);
});

test('scheduler: a job that is due behind a running one of its key costs no transaction to claim', async () => {
  const { store, clock } = await openWithClock();
  let transactions = 0;
  const jobs = createJobs({
    store: { ...store, transaction: (body, options) => (transactions++, store.transaction(body, options)) },
    clock,
    realClock: clock,
    log: silentLog,
    instanceId: 'one',
  });
  settleWith(clock, jobs);
  const began: unknown[] = [];
  jobs.handle('note', async (job) => {
    began.push(job.payload);
    await store.transaction((tx) => jobs.finish(tx, job, 'done'));
  });
  jobs.start();
  await clock.advance(0);
  transactions = 0;
  for (const payload of [1, 2, 3]) {
    await store.transaction((tx) => jobs.add(tx, { kind: 'note', key: 'a', payload, dueMs: clock.nowMs() }));
  }
  await clock.advance(0);
  expect(began).toEqual([1, 2, 3]);
  expect(transactions).toBe(0);
  await jobs.stop();
});

test('scheduler: a job that a full disk interrupts is retried before those behind it', async () => {
  const { store, clock } = await openWithClock();
  let full = false;
  const run: Store['run'] = (sql, ...parameters) =>
    full ? Promise.reject(new Fault('store', 'disk full')) : store.run(sql, ...parameters);
  const jobs = createJobs({
    store: { ...store, run },
    clock,
    realClock: clock,
    log: silentLog,
    instanceId: 'one',
  });
  settleWith(clock, jobs);
  const attempts: string[] = [];
  jobs.handle('note', async (job) => {
    attempts.push(`${String(job.payload)} ${job.attempts}`);
    if (full) throw new Fault('store', 'disk full');
    await store.transaction((tx) => jobs.finish(tx, job, 'done'));
  });
  jobs.start();
  await clock.advance(0);
  full = true;
  for (const payload of ['first', 'behind it']) {
    await store.transaction((tx) => jobs.add(tx, { kind: 'note', key: 'a', payload, dueMs: clock.nowMs() }));
  }
  await clock.advance(4_000);
  expect(attempts.slice(0, 4)).toEqual(['first 0', 'first 1', 'first 2']);
  full = false;
  await clock.advance(60_000);
  expect(await store.get('SELECT count(*) AS n FROM jobs')).toEqual({ n: 0 });
  await jobs.stop();
});

test('scheduler: a store that fails at the start, or while jobs are claimed, is tried again later', async () => {
  const { store, clock } = await openWithClock();
  let failing = true;
  const refuse = () => Promise.reject(new Fault('store', 'disk full'));
  const jobs = createJobs({
    store: {
      ...store,
      run: (sql, ...parameters) => (failing ? refuse() : store.run(sql, ...parameters)),
      transaction: (body, options) => (failing ? refuse() : store.transaction(body, options)),
    },
    clock,
    realClock: clock,
    log: silentLog,
    instanceId: 'one',
  });
  settleWith(clock, jobs);
  const began: number[] = [];
  jobs.handle('note', (job) => {
    began.push(clock.nowMs());
    return store.transaction((tx) => jobs.finish(tx, job, 'done'));
  });
  const add = (dueMs: number) =>
    store.transaction((tx) => jobs.add(tx, { kind: 'note', key: `${dueMs}`, dueMs }));
  const startMs = clock.nowMs();
  await add(startMs);
  jobs.start();
  await clock.advance(1_500);
  failing = false;
  await clock.advance(1_500);
  expect(began).toEqual([startMs + 3_000]);
  await add(startMs + 5_000);
  failing = true;
  await clock.advance(2_500);
  failing = false;
  await clock.advance(1_000);
  expect(began).toEqual([startMs + 3_000, startMs + 6_000]);
  await jobs.stop();
});

test('scheduler: a store that keeps failing is tried ever less often, whatever falls due, and logs it once a minute', async () => {
  const { store, clock: realClock } = await openWithClock();
  // A sandbox clock that is advanced while the store fails.
  const clock = new VirtualClock(realClock.nowMs());
  let failing = false;
  let attempts = 0;
  const lines: object[] = [];
  const warn = (fields: object, message: string) => void lines.push({ ...fields, message });
  const jobs = createJobs({
    store: {
      ...store,
      transaction(body, options) {
        if (!failing) return store.transaction(body, options);
        attempts += 1;
        return Promise.reject(new Fault('store', 'disk full'));
      },
    },
    clock,
    realClock,
    log: { ...silentLog, warn } as typeof silentLog,
    instanceId: 'one',
  });
  settleWith(clock, jobs);
  settleWith(realClock, jobs);
  const began: string[] = [];
  const run = async (job: Job) => {
    began.push(job.key);
    await store.transaction((tx) => jobs.finish(tx, job, 'done'));
  };
  jobs.handle('note', run);
  jobs.handle('queued', run, { atOnce: 2 });
  jobs.start();
  await realClock.advance(0);
  for (const second of [1, 2, 3, 4, 5]) {
    const dueMs = clock.nowMs() + second * 1_000;
    await store.transaction((tx) => jobs.add(tx, { kind: 'note', key: `note ${second}`, dueMs }));
    const queued = { kind: 'queued', queue: `q${second}`, key: `queued ${second}`, dueMs };
    await store.transaction((tx) => jobs.add(tx, queued));
  }
  failing = true;
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(1_000);
    await realClock.advance(1_000);
  }
  // After 0, 1, 3, 7, 15, 25, 35, 45 and 55 seconds.
  expect(attempts).toBeLessThanOrEqual(10);
  expect(attempts).toBeGreaterThan(5);
  expect(lines).toEqual([{ reason: 'disk full', message: 'due jobs could not be claimed' }]);
  failing = false;
  await realClock.advance(10_000);
  expect(began.toSorted()).toEqual(
    [1, 2, 3, 4, 5]
      .flatMap((second) => [`note ${second}`])
      .concat([1, 2, 3, 4, 5].map((second) => `queued ${second}`)),
  );
  await jobs.stop();
});

const jobOfAnyKind = fc.record({
  kind: fc.constantFrom('note', 'other'),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  inMs: fc.integer({ min: -1, max: 4 }),
  turns: fc.integer({ min: 0, max: 4 }),
  // What its runs do: end it, postpone it, throw, forget to end it. The last is always to end it.
  runs: fc.array(fc.constantFrom('again', 'again at once', 'throw', 'forget'), { maxLength: 2 }),
});
type AnyJob = typeof jobOfAnyKind extends fc.Arbitrary<infer T> ? T : never;
const batches = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 2 }), jobs: fc.array(jobOfAnyKind, { maxLength: 4 }) }),
  { maxLength: 12 },
);

test('scheduler: after any additions, delays and failures each job ends once, and jobs of one key run one at a time', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (list) => {
      const store = await openStore({ path: ':memory:', log: silentLog });
      const clock = new VirtualClock(1_760_000_000_000);
      const jobs = createJobs({
        store,
        clock,
        realClock: clock,
        log: silentLog,
        instanceId: 'one',
        atOnce: 2,
      });
      settleWith(clock, jobs);
      const wanted: AnyJob[] = [];
      const runsOf = new Map<number, number>();
      const ended: number[] = [];
      const running = new Set<string>();
      async function handle(job: Job): Promise<void> {
        expect(running).not.toContain(job.key);
        expect(job.dueMs).toBeLessThanOrEqual(clock.nowMs());
        running.add(job.key);
        const index = job.payload as number;
        const { turns, runs } = wanted[index]!;
        const step = runs[runsOf.get(index) ?? 0];
        runsOf.set(index, (runsOf.get(index) ?? 0) + 1);
        for (let n = 0; n < turns; n++) await turn();
        running.delete(job.key);
        if (step === 'throw') throw new Error('thrown');
        if (step === 'forget') return;
        if (step === undefined) ended.push(index);
        const again = clock.nowMs() + (step === 'again' ? 2 : 0);
        await store.transaction((tx) => jobs.finish(tx, job, step === undefined ? 'done' : { again }));
      }
      jobs.handle('note', handle);
      jobs.handle('other', handle);
      jobs.start();
      for (const batch of list) {
        await Promise.all(
          batch.jobs.map(({ kind, key, inMs, ...rest }) => {
            const payload = wanted.push({ kind, key, inMs, ...rest }) - 1;
            const dueMs = clock.nowMs() + inMs;
            return store.transaction((tx) => jobs.add(tx, { kind, key, payload, dueMs }));
          }),
        );
        if (batch.afterMs > 0) await clock.advance(batch.afterMs);
      }
      await clock.advance(20_000);
      expect(ended.sort((a, b) => a - b)).toEqual(wanted.map((_, index) => index));
      expect(await store.get('SELECT count(*) AS n FROM jobs')).toEqual({ n: 0 });
      await jobs.stop();
      await store.close();
    }),
    { numRuns: 30, seed: 20_251 },
  );
});
