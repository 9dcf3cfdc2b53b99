import { expect, onTestFinished, test } from 'vitest';
import { SystemClock, type Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import { silentLog } from '../../protocol/log.ts';
import { JobClaimLost, type Job, type JobRequest } from '../../server/platform/scheduler/jobs.ts';
import { createJobs, type JobsOptions } from '../../server/platform/scheduler/scheduler.ts';
import type { Store, Transaction } from '../../server/platform/store/store.ts';
import { VirtualClock, turn } from '../../world/virtual-clock.ts';

const START_MS = 1_760_000_000_000;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

type Instance = ReturnType<typeof createJobs>;

/** One store, one clock, any number of servers, and what they did in the order they did it. */
interface World {
  store: Store;
  clock: VirtualClock;
  /** `kind key @seconds`, as each run began. */
  began: string[];
  serve(options?: Partial<JobsOptions>): Instance;
  /** The same, and every job of kind `note` or `other` does nothing but end. */
  serveNotes(options?: Partial<JobsOptions>): Instance;
  /** An instance that is never heard of again. */
  kill(instance: Instance): Promise<void>;
  add(by: Instance, ...requests: (Partial<JobRequest> & { inSeconds?: number })[]): Promise<void>;
  settle(): Promise<void>;
  advance(seconds: number): Promise<void>;
}

/** What every store's jobs promise. `open` makes a new store with its tables. */
export function schedulerContract(open: () => Promise<Store>): void {
  const world = async () => createWorld(await open());
  dueInstants(world);
  cancelling(world);
  failures(world);
  keys(world);
  room(world);
  restarts(world);
  severalInstances(world);
}

function createWorld(store: Store): World {
  const clock = new VirtualClock(START_MS);
  const instances = new Set<Instance>();
  const power = new Map<Instance, { on: boolean }>();
  const began: string[] = [];
  let count = 0;

  async function settle(): Promise<void> {
    await turn();
    while ([...instances].some((instance) => !instance.idle())) await turn();
  }
  clock.settleWith(settle);
  onTestFinished(async () => {
    for (const instance of instances) await instance.stop();
    await store.close();
  });

  const world: World = {
    store,
    clock,
    began,
    serve(options = {}) {
      const instanceId = `instance ${++count}`;
      const supply = { on: true };
      const ownClock = poweredBy(supply, clock);
      const instance = createJobs({
        store,
        clock: ownClock,
        realClock: ownClock,
        log: silentLog,
        instanceId,
        ...options,
      });
      instances.add(instance);
      power.set(instance, supply);
      return instance;
    },
    serveNotes(options) {
      const instance = world.serve(options);
      for (const kind of ['note', 'other']) {
        instance.handle(kind, (job) => {
          began.push(`${kind} ${job.key} @${(clock.nowMs() - START_MS) / SECOND_MS}`);
          return store.transaction((tx) => instance.finish(tx, job, 'done'));
        });
      }
      instance.start();
      return instance;
    },
    async kill(instance) {
      // What a process has sent before it is killed can still take effect, and would then do so after the next one has started.
      while (instance.isClaiming()) await turn();
      instances.delete(instance);
      power.get(instance)!.on = false;
    },
    async add(by, ...requests) {
      const add = async (tx: Transaction) => {
        for (const { inSeconds = 0, ...request } of requests) {
          const dueMs = clock.nowMs() + inSeconds * SECOND_MS;
          await by.add(tx, { kind: 'note', key: 'a', dueMs, ...request });
        }
      };
      await store.transaction(add, { guardedBy: ['jobClaims'] });
    },
    settle,
    advance: (seconds) => clock.advance(seconds * SECOND_MS),
  };
  return world;
}

/** The same store, counting its transactions, and what it is asked for and has not done yet. */
function counted(store: Store): { store: Store; transactions(): number; inProgress(): number } {
  let transactions = 0;
  let inProgress = 0;
  async function during<T>(work: Promise<T>): Promise<T> {
    inProgress++;
    try {
      return await work;
    } finally {
      inProgress--;
    }
  }
  return {
    store: {
      engine: store.engine,
      get: (sql, ...parameters) => during(store.get(sql, ...parameters)),
      all: (sql, ...parameters) => during(store.all(sql, ...parameters)),
      run: (sql, ...parameters) => during(store.run(sql, ...parameters)),
      transaction: (body, options) => (transactions++, during(store.transaction(body, options))),
      close: () => store.close(),
    },
    transactions: () => transactions,
    inProgress: () => inProgress,
  };
}

/** A clock on which nothing happens any more once the power is off. */
function poweredBy(supply: { on: boolean }, clock: Clock): Clock {
  return {
    nowMs: () => clock.nowMs(),
    at: (atMs, run) => clock.at(atMs, () => supply.on && run()),
  };
}

type MakeWorld = () => Promise<World>;

async function jobsLeft(store: Store): Promise<number> {
  return (await store.get<{ n: number }>('SELECT count(*) AS n FROM jobs'))!.n;
}

function dueInstants(make: MakeWorld): void {
  test('scheduler: each job starts at its time, in order, jobs of one time in the order they were added', async () => {
    const world = await make();
    const jobs = world.serveNotes();
    await world.add(
      jobs,
      { key: 'late', inSeconds: 30 },
      { key: 'tie 1', inSeconds: 20 },
      { key: 'tie 2', inSeconds: 20, kind: 'other' },
      { key: 'tie 3', inSeconds: 20 },
      { key: 'early', inSeconds: 10, kind: 'other' },
    );
    await world.advance(29);
    await world.advance(1);
    expect(world.began).toEqual([
      'other early @10',
      'note tie 1 @20',
      'other tie 2 @20',
      'note tie 3 @20',
      'note late @30',
    ]);
    expect(await jobsLeft(world.store)).toBe(0);
  });

  test('scheduler: a jump of the clock starts everything that became due, in order', async () => {
    const world = await make();
    const clock = new SystemClock();
    const jobs = world.serve({ clock });
    jobs.handle('note', async (job) => {
      world.began.push(job.key);
      await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
    });
    jobs.start();
    await world.settle();
    await world.store.transaction(async (tx) => {
      for (const days of [5, 3, 600, 1]) {
        const dueMs = clock.nowMs() + days * DAY_MS;
        await jobs.add(tx, { kind: 'note', key: `day ${days}`, dueMs });
      }
    });
    clock.setOffset(100 * DAY_MS);
    while (world.began.length < 3) await turn();
    clock.setOffset(700 * DAY_MS);
    while (world.began.length < 4) await turn();
    expect(world.began).toEqual(['day 1', 'day 3', 'day 5', 'day 600']);
  });

  test('scheduler: a job that is already due has started when its transaction returns', async () => {
    const world = await make();
    const jobs = world.serveNotes();
    await world.settle();
    await world.add(jobs, { key: 'now' }, { key: 'overdue', inSeconds: -5 });
    expect(world.began).toEqual(['note now @0', 'note overdue @0']);
  });

  test('scheduler: a job of a transaction that is rolled back does not exist', async () => {
    const world = await make();
    const jobs = world.serveNotes();
    await world.settle();
    const undone = world.store.transaction(async (tx) => {
      await jobs.add(tx, { kind: 'note', key: 'now', dueMs: world.clock.nowMs() });
      await jobs.add(tx, { kind: 'note', key: 'later', dueMs: world.clock.nowMs() + 1 });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await world.advance(60);
    expect(world.began).toEqual([]);
  });

  test('scheduler: a job that was added before the start runs after it', async () => {
    const world = await make();
    const jobs = world.serve();
    jobs.handle('note', async (job) => {
      world.began.push(job.key);
      await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
    });
    await world.add(jobs, { key: 'due' }, { key: 'later', inSeconds: 10 });
    await world.settle();
    expect(world.began).toEqual([]);
    jobs.start();
    await world.advance(10);
    expect(world.began).toEqual(['due', 'later']);
  });

  test("scheduler: a handler gets the job's data, and can postpone it", async () => {
    const world = await make();
    const jobs = world.serve();
    const runs: Job[] = [];
    jobs.handle('note', async (job) => {
      runs.push(job);
      const again = world.clock.nowMs() + 90 * SECOND_MS;
      await world.store.transaction((tx) => jobs.finish(tx, job, runs.length < 3 ? { again } : 'done'));
    });
    jobs.start();
    const payload = { eventId: 'ev_1', text: `it's "quoted"`, list: [1, null] };
    await world.add(jobs, { key: 'a', payload, inSeconds: 10 }, { key: 'none', inSeconds: 1_000 });
    await world.advance(999);
    expect(runs).toMatchObject(
      [10, 100, 190].map((n) => ({ payload, dueMs: START_MS + n * SECOND_MS, attempts: 0 })),
    );
    await world.advance(1);
    expect(runs.at(-1)).toMatchObject({ key: 'none', payload: null });
  });

  test('scheduler: a job of a kind without a handler waits for an instance that has one', async () => {
    const world = await make();
    const jobs = world.serveNotes();
    await world.add(jobs, { kind: 'unknown' });
    await world.advance(60);
    expect(await jobsLeft(world.store)).toBe(1);
    jobs.handle('unknown', (job) => world.store.transaction((tx) => jobs.finish(tx, job, 'done')));
    await world.settle();
    expect(await jobsLeft(world.store)).toBe(0);
  });
}

function cancelling(make: MakeWorld): void {
  test('scheduler: a cancelled job does not run, others of its key and kind do', async () => {
    const world = await make();
    const jobs = world.serveNotes();
    await world.add(
      jobs,
      { key: 'a', inSeconds: 10 },
      { key: 'a', inSeconds: 20 },
      { key: 'b', inSeconds: 10 },
      { key: 'a', inSeconds: 10, kind: 'other' },
    );
    await world.store.transaction((tx) => jobs.cancel(tx, 'note', 'a'));
    await world.advance(60);
    expect(world.began.sort()).toEqual(['note b @10', 'other a @10']);
  });

  test('scheduler: a claimed job that waits for capacity can be cancelled, and frees its place', async () => {
    const world = await make();
    const jobs = world.serve({ atOnce: 1 });
    const gate = await serveHeld(world, jobs);
    await Promise.all(['a', 'b', 'c'].map((key) => world.add(jobs, { key })));
    while (world.began.length === 0) await turn();
    const [first, second, third] = [...world.began, ...['a', 'b', 'c'].filter((s) => s !== world.began[0])];
    await world.store.transaction((tx) => jobs.cancel(tx, 'note', second!));
    gate.open();
    await world.settle();
    await world.add(jobs, { key: 'd' });
    await world.settle();
    expect(world.began).toEqual([first, third, 'd']);
  });

  test('scheduler: jobs behind a running one of their key can be cancelled, and later ones run', async () => {
    const world = await make();
    const jobs = world.serve();
    const note = (job: Job) => `${job.kind} ${String(job.payload)}`;
    jobs.handle('other', async (job) => {
      world.began.push(note(job));
      await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
    });
    const gate = await serveHeld(world, jobs, { note });
    await world.add(jobs, { payload: 1 }, { payload: 2, kind: 'other' }, { payload: 3, kind: 'other' });
    while (world.began.length === 0) await turn();
    await world.store.transaction((tx) => jobs.cancel(tx, 'other', 'a'));
    await world.add(jobs, { payload: 4, kind: 'other' });
    gate.open();
    await world.settle();
    expect(world.began).toEqual(['note 1', 'other 4']);
    expect(await jobsLeft(world.store)).toBe(0);
  });

  test('scheduler: a run whose job is cancelled meanwhile is rolled back, and not repeated', async () => {
    const world = await make();
    const jobs = world.serve();
    const gate = createGate();
    const thrown: unknown[] = [];
    jobs.handle('note', async (job) => {
      world.began.push(job.key);
      await gate.opened;
      const work = world.store.transaction(async (tx) => {
        await tx.run(`INSERT INTO settings (name, value) VALUES ('work', 'done')`);
        await jobs.finish(tx, job, 'done');
      });
      await work.catch((error: unknown) => {
        thrown.push(error);
        throw error;
      });
    });
    jobs.start();
    await world.add(jobs, { key: 'a' });
    while (world.began.length === 0) await turn();
    await world.store.transaction((tx) => jobs.cancel(tx, 'note', 'a'));
    gate.open();
    await world.advance(600);
    expect(thrown).toEqual([expect.any(JobClaimLost)]);
    expect(world.began).toHaveLength(1);
    expect(await world.store.all(`SELECT value FROM settings`)).toEqual([]);
  });

  test('scheduler: a rescheduled job runs once, at its new instant, whether that is later or earlier', async () => {
    const world = await make();
    const jobs = world.serveNotes();
    await world.add(jobs, { key: 'a', inSeconds: 10 }, { key: 'b', inSeconds: 30 });
    const at = (seconds: number) => ({ kind: 'note', dueMs: START_MS + seconds * SECOND_MS });
    await world.store.transaction((tx) => jobs.reschedule(tx, { key: 'a', ...at(20) }));
    await world.store.transaction((tx) => jobs.reschedule(tx, { key: 'b', ...at(5) }));
    await world.store.transaction((tx) => jobs.reschedule(tx, { key: 'c', ...at(15) }));
    await world.advance(60);
    expect(world.began).toEqual(['note b @5', 'note c @15', 'note a @20']);
    expect(await jobsLeft(world.store)).toBe(0);
  });

  test('scheduler: a run whose job is rescheduled meanwhile is rolled back, and repeated at the new instant', async () => {
    const world = await make();
    const jobs = world.serve();
    const gate = createGate();
    jobs.handle('note', async (job) => {
      world.began.push(`${(world.clock.nowMs() - START_MS) / SECOND_MS}`);
      await gate.opened;
      await world.store.transaction(async (tx) => {
        await tx.run(`INSERT INTO settings (name, value) VALUES (?, 'done')`, `work ${world.began.length}`);
        await jobs.finish(tx, job, 'done');
      });
    });
    jobs.start();
    await world.add(jobs, { key: 'a' });
    while (world.began.length === 0) await turn();
    const dueMs = START_MS + 30 * SECOND_MS;
    await world.store.transaction((tx) => jobs.reschedule(tx, { kind: 'note', key: 'a', dueMs }));
    gate.open();
    await world.advance(600);
    expect(world.began).toEqual(['0', '30']);
    expect(await world.store.all(`SELECT name FROM settings`)).toEqual([{ name: 'work 2' }]);
    expect(await jobsLeft(world.store)).toBe(0);
  });

  test('scheduler: a handler may cancel its own job and add it again', async () => {
    const world = await make();
    const jobs = world.serve();
    jobs.handle('note', async (job) => {
      world.began.push(`${(world.clock.nowMs() - START_MS) / SECOND_MS}`);
      await world.store.transaction(async (tx) => {
        await jobs.cancel(tx, 'note', job.key);
        if (world.began.length < 3) await jobs.add(tx, { kind: 'note', key: 'a', dueMs: job.dueMs + 5_000 });
        await jobs.finish(tx, job, 'done');
      });
    });
    jobs.start();
    await world.add(jobs, { inSeconds: 5 });
    await world.advance(60);
    expect(world.began).toEqual(['5', '10', '15']);
    expect(await jobsLeft(world.store)).toBe(0);
  });
}

function failures(make: MakeWorld): void {
  test('scheduler: a handler that throws is retried after 1, 2, 4 ... at most 60 seconds', async () => {
    const world = await make();
    const jobs = world.serve();
    const at: number[] = [];
    jobs.handle('note', async (job) => {
      expect(job.attempts).toBe(at.length);
      at.push((world.clock.nowMs() - START_MS) / SECOND_MS);
      if (at.length < 10) throw new Error('not yet');
      await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
    });
    jobs.start();
    await world.settle();
    await world.add(jobs, {});
    await world.advance(600);
    const pauses = at.slice(1).map((instant, index) => instant - at[index]!);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(await jobsLeft(world.store)).toBe(0);
  });

  test('scheduler: a job that the store interrupts stays before those of its key', async () => {
    const world = await make();
    const jobs = world.serve({ soleOwner: false, pollMs: SECOND_MS });
    const began: string[] = [];
    let away = true;
    jobs.handle('note', async (job) => {
      began.push(String(job.payload));
      if (away) throw new Fault('store', 'the database is away');
      await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
    });
    jobs.start();
    await world.settle();
    await world.add(jobs, { payload: 'first' });
    await world.add(jobs, { payload: 'second' });
    away = false;
    await world.advance(10);
    expect(began).toEqual(['first', 'first', 'second']);
  });

  test('scheduler: a handler that does not finish its job is run again, and its transaction is rolled back', async () => {
    const world = await make();
    const jobs = world.serve();
    jobs.handle('note', async (job) => {
      world.began.push(job.key);
      if (world.began.length === 1) return;
      if (world.began.length === 2) {
        return world.store.transaction(async (tx) => {
          await jobs.finish(tx, job, 'done');
          throw new Error('after finishing, before the commit');
        });
      }
      await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
    });
    jobs.start();
    await world.add(jobs, {});
    await world.advance(60);
    expect(world.began).toHaveLength(3);
    expect(await jobsLeft(world.store)).toBe(0);
  });
}

function keys(make: MakeWorld): void {
  test('scheduler: jobs of one key run one after the other, in order, beside those of others', async () => {
    const world = await make();
    const jobs = world.serve();
    let running = 0;
    for (const kind of ['note', 'other']) {
      jobs.handle(kind, async (job) => {
        if (job.key === 'one') expect(++running).toBe(1);
        world.began.push(`${job.key} ${String(job.payload)}`);
        await turn();
        await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
        await turn();
        if (job.key === 'one') running--;
      });
    }
    jobs.start();
    await world.settle();
    const kinds = ['note', 'other', 'note', 'note', 'other'];
    await world.add(jobs, ...kinds.map((kind, n) => ({ kind, key: 'one', payload: n })), {
      key: 'two',
      payload: 0,
    });
    for (let n = kinds.length; n < 20; n++) await world.add(jobs, { key: 'one', payload: n });
    await world.settle();
    expect(world.began.filter((run) => run.startsWith('one'))).toEqual(
      Array.from({ length: 20 }, (_, n) => `one ${n}`),
    );
    expect(world.began.indexOf('two 0')).toBeLessThan(3);
    expect(await jobsLeft(world.store)).toBe(0);
  });

  test('scheduler: a job that becomes due while another of its key runs starts after it', async () => {
    const world = await make();
    const jobs = world.serve();
    const gate = await serveHeld(world, jobs, {
      note: (job) => String(job.payload),
      holds: (job) => job.payload === 'first',
    });
    await world.add(jobs, { payload: 'first' }, { payload: 'second', inSeconds: 5 });
    world.clock.settleWith(async () => {
      for (let turns = 0; turns < 50; turns++) await turn();
    });
    await world.advance(10);
    expect(world.began).toEqual(['first']);
    gate.open();
    await world.settle();
    expect(world.began).toEqual(['first', 'second']);
  });
}

function room(make: MakeWorld): void {
  test('scheduler: a kind whose jobs hang is limited, and delays no other kind', async () => {
    const world = await make();
    const jobs = world.serve({ atOnce: 3 });
    const gates = new Map<string, ReturnType<typeof createGate>>();
    jobs.handle('hanging', async (job) => {
      world.began.push(job.key);
      gates.set(job.key, createGate());
      await gates.get(job.key)!.opened;
      await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
    });
    jobs.handle('note', async (job) => {
      world.began.push(job.key);
      await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
    });
    jobs.start();
    await world.settle();
    const began = async (count: number) => {
      while (world.began.length < count) await turn();
    };
    for (let n = 1; n <= 7; n++) await world.add(jobs, { kind: 'hanging', key: `${n}` });
    await world.add(jobs, { key: 'deadline' });
    await began(4);
    expect(world.began).toEqual(['1', '2', '3', 'deadline']);
    for (let n = 1; n <= 7; n++) {
      await began(Math.min(n + 3, 8));
      gates.get(`${n}`)!.open();
    }
    await world.settle();
    expect(world.began).toEqual(['1', '2', '3', 'deadline', '4', '5', '6', '7']);
  });
}

function restarts(make: MakeWorld): void {
  test('scheduler: a server killed between the commit and the end of a job leaves the job to the next', async () => {
    const world = await make();
    const first = world.serve({ soleOwner: true });
    first.handle('note', (job) => {
      world.began.push(`${job.key}, in vain`);
      return new Promise(() => undefined);
    });
    first.start();
    await world.add(first, { key: 'begun' }, { key: 'later', inSeconds: 30 });
    while (world.began.length === 0) await turn();
    await world.kill(first);

    world.serveNotes({ soleOwner: true });
    await world.advance(60);
    expect(world.began).toEqual(['begun, in vain', 'note begun @0', 'note later @30']);
    expect(await jobsLeft(world.store)).toBe(0);
  });

  test('scheduler: a server killed while jobs wait behind one of their key leaves all to the next, in order', async () => {
    const world = await make();
    const first = world.serve({ soleOwner: true });
    const gate = await serveHeld(world, first);
    for (const payload of ['runs', 'waits', 'waits too']) await world.add(first, { payload });
    while (world.began.length === 0) await turn();
    await world.kill(first);
    const second = world.serve({ soleOwner: true });
    await serveHeld(world, second, { note: (job) => String(job.payload), holds: () => false });
    expect(world.began.slice(1)).toEqual(['runs', 'waits', 'waits too']);
    expect(await jobsLeft(world.store)).toBe(0);
    gate.open();
  });

  test('scheduler: stopping waits for running jobs and leaves the rest', async () => {
    const world = await make();
    const first = world.serve({ atOnce: 1 });
    const gate = await serveHeld(world, first);
    await world.add(first, { key: 'runs' }, { key: 'waits' });
    while (world.began.length === 0) await turn();
    const stopping = first.stop();
    gate.open();
    await stopping;
    expect(world.began).toEqual(['runs']);
    expect(await world.store.all('SELECT subject, claimed_by FROM jobs')).toEqual([
      { subject: 'waits', claimed_by: null },
    ]);
    await world.add(first, { key: 'added after' });
    world.serveNotes();
    await world.settle();
    expect(world.began.slice(1)).toEqual(['note waits @0', 'note added after @0']);
  });
}

function severalInstances(make: MakeWorld): void {
  const shared = { soleOwner: false, pollMs: SECOND_MS };

  test('scheduler: of several instances on one store one runs each job, once', async () => {
    const world = await make();
    const instances = [1, 2, 3].map(() => world.serve(shared));
    const runningKeys = new Set<string>();
    const by = new Map<Instance, number>();
    for (const instance of instances) {
      instance.handle('note', async (job) => {
        expect(runningKeys).not.toContain(job.key);
        runningKeys.add(job.key);
        world.began.push(String(job.payload));
        by.set(instance, (by.get(instance) ?? 0) + 1);
        await turn();
        runningKeys.delete(job.key);
        await world.store.transaction((tx) => instance.finish(tx, job, 'done'));
      });
      instance.start();
    }
    await world.settle();
    const count = 60;
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        world.add(instances[n % 3]!, { key: `${n % 20}`, payload: n, inSeconds: n % 4 }),
      ),
    );
    await world.advance(30);
    expect(world.began.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n));
    expect(await jobsLeft(world.store)).toBe(0);
    expect(by.size).toBeGreaterThan(1);
  });

  test.each([{ guardedBy: ['jobClaims'] }, { serializable: 'deletion' }] as const)(
    'scheduler: a job runs after those of its key that another instance has added before, in a transaction with %o',
    async (options) => {
      const world = await make();
      const instance = world.serve(shared);
      instance.handle('note', (job) => {
        world.began.push(String(job.payload));
        return world.store.transaction((tx) => instance.finish(tx, job, 'done'));
      });
      instance.start();
      await world.settle();
      await world.store.run(
        `INSERT INTO jobs (kind, subject, payload, due_ms, attempts) VALUES ('note', 'a', '"of another"', ?, 0)`,
        world.clock.nowMs(),
      );
      const own = { kind: 'note', key: 'a', payload: 'own', dueMs: world.clock.nowMs() };
      await world.store.transaction((tx) => instance.add(tx, own), options);
      await world.settle();
      expect(world.began).toEqual(['of another', 'own']);
    },
  );

  test('scheduler: a job that another instance added behind one of its key starts when that one ends', async () => {
    const world = await make();
    const first = world.serve(shared);
    const gate = createGate();
    first.handle('note', async (job) => {
      world.began.push(`first ${String(job.payload)}`);
      await gate.opened;
      await world.store.transaction((tx) => first.finish(tx, job, 'done'), { guardedBy: ['jobClaims'] });
    });
    first.start();
    const second = world.serve(shared);
    second.handle('note', () => Promise.reject(new Error('the key is busy at the first instance')));
    second.start();
    await world.settle();
    await world.add(first, { payload: 1 });
    while (world.began.length === 0) await turn();
    await world.add(second, { payload: 2 });
    while (!second.idle()) await turn();
    gate.open();
    await world.settle();
    expect(world.began).toEqual(['first 1', 'first 2']);
  });

  test('scheduler: jobs claimed by an instance that died are taken over after ten seconds, and its late end is rolled back', async () => {
    const world = await make();
    const first = world.serve(shared);
    const gate = createGate();
    let late: Promise<unknown> | undefined;
    first.handle('note', (job) => {
      late = gate.opened.then(() =>
        world.store.transaction(async (tx) => {
          await tx.run(`INSERT INTO settings (name, value) VALUES ('work', 'done twice')`);
          await first.finish(tx, job, 'done');
        }),
      );
      return late as Promise<void>;
    });
    first.start();
    await world.settle();
    await world.add(first, { key: 'a' });
    while (!late) await turn();
    await world.kill(first);

    world.serveNotes(shared);
    await world.advance(9);
    expect(world.began).toEqual([]);
    await world.advance(3);
    expect(world.began).toHaveLength(1);
    gate.open();
    await expect(late).rejects.toBeInstanceOf(JobClaimLost);
    expect(await world.store.all('SELECT value FROM settings')).toEqual([]);
  });

  test('scheduler: a job that is added comes after an earlier one of its key that is not claimed yet', async () => {
    const world = await make();
    const [stopped, running] = [world.serve(shared), world.serve(shared)];
    const began: string[] = [];
    running.handle('note', async (job) => {
      began.push(String(job.payload));
      await world.store.transaction((tx) => running.finish(tx, job, 'done'));
    });
    running.start();
    await world.settle();
    // Added where no job is claimed, and not found yet by the other.
    await world.add(stopped, { payload: 'first' });
    await world.add(running, { payload: 'second' });
    await world.advance(2);
    expect(began).toEqual(['first', 'second']);
  });

  test('scheduler: a long job stays with its instance', async () => {
    const world = await make();
    const { store, inProgress } = counted(world.store);
    const first = world.serve({ ...shared, store });
    const gate = await serveHeld(world, first, { note: () => 'by the first' });
    await world.add(first, { key: 'long' });
    while (world.began.length === 0) await turn();
    const second = world.serveNotes(shared);
    world.clock.settleWith(() => untilRenewed(second, inProgress));
    await world.advance(300);
    expect(world.began).toEqual(['by the first']);
    gate.open();
    await world.settle();
    expect(world.began).toEqual(['by the first']);
    expect(await jobsLeft(world.store)).toBe(0);
  });

  test('scheduler: a jump of the clock past every claim loses and repeats nothing', async () => {
    const world = await make();
    const clock = new SystemClock();
    const jobs = world.serve({ ...shared, clock });
    const gate = await serveHeld(world, jobs, { holds: (job) => job.key === 'long' });
    const add = (key: string, dueMs: number) =>
      world.store.transaction((tx) => jobs.add(tx, { kind: 'note', key, dueMs }));
    await add('long', clock.nowMs());
    await add('next week', clock.nowMs() + 7 * DAY_MS);
    await add('in two weeks', clock.nowMs() + 14 * DAY_MS);
    clock.setOffset(8 * DAY_MS);
    while (!world.began.includes('next week')) await turn();
    clock.setOffset(15 * DAY_MS);
    while (!world.began.includes('in two weeks')) await turn();
    gate.open();
    await world.settle();
    expect(world.began).toEqual(['long', 'next week', 'in two weeks']);
    expect(await jobsLeft(world.store)).toBe(0);
  });

  test('scheduler: the search for abandoned jobs runs each second of real time, however far sandbox time jumps', async () => {
    const world = await make();
    const realClock = new VirtualClock(START_MS);
    const { store, transactions } = counted(world.store);
    const first = world.serveNotes({ ...shared, store, realClock });
    const second = world.serveNotes({ ...shared, realClock });
    await world.settle();
    await world.add(first, { key: 'tomorrow', inSeconds: DAY_MS / SECOND_MS });
    const before = transactions();
    await world.advance((365 * DAY_MS) / SECOND_MS);
    expect(world.began).toEqual(['note tomorrow @86400']);
    expect(transactions() - before).toBeLessThan(5);

    // What one added and died is found by the other, that second later.
    await world.add(first, { key: 'left', inSeconds: 60 });
    await world.kill(first);
    await realClock.advance(SECOND_MS);
    await world.settle();
    await world.advance(60);
    expect(world.began.slice(1)).toEqual([`note left @${(365 * DAY_MS) / SECOND_MS + 60}`]);
    await second.stop();
  });

  test('scheduler: an instance whose sandbox time is days ahead leaves running jobs of another instance alone', async () => {
    const world = await make();
    const ahead = new VirtualClock(START_MS + 30 * DAY_MS);
    const { store, inProgress } = counted(world.store);
    const first = world.serve({ ...shared, store });
    const gate = await serveHeld(world, first, { note: () => 'by the first' });
    await world.add(first, { key: 'long' });
    while (world.began.length === 0) await turn();
    const second = world.serveNotes({ ...shared, clock: ahead });
    world.clock.settleWith(() => untilRenewed(second, inProgress));
    await world.advance(10);
    gate.open();
    await world.settle();
    expect(world.began).toEqual(['by the first']);
    expect(await jobsLeft(world.store)).toBe(0);
  });
}

/**
 * Waits until an instance that holds a job has renewed its claim: it is not idle before the job ends, so it counts what it
 * asks of its store.
 */
async function untilRenewed(other: Instance, inProgress: () => number): Promise<void> {
  for (let quiet = 0; quiet < 20; quiet = other.idle() && inProgress() === 0 ? quiet + 1 : 0) await turn();
}

/** Starts an instance that notes what it begins, and ends nothing that is to be held before the gate opens. */
async function serveHeld(
  world: World,
  jobs: Instance,
  {
    note = ({ key }: Job) => key,
    holds = () => true,
  }: { note?: (job: Job) => string; holds?: (job: Job) => boolean } = {},
) {
  const gate = createGate();
  jobs.handle('note', async (job) => {
    world.began.push(note(job));
    if (holds(job)) await gate.opened;
    await world.store.transaction((tx) => jobs.finish(tx, job, 'done'));
  });
  jobs.start();
  await world.settle();
  return gate;
}

function createGate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
