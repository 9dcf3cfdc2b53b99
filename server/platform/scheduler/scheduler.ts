import type { Clock, Timer } from '../../../protocol/clock.ts';
import type { Log } from '../../../protocol/log.ts';
import type { Store, Transaction } from '../store/store.ts';
import { Claims } from './claims.ts';
import {
  insertClaimed,
  insertJob,
  moveJobs,
  postponeClaimed,
  removeClaimed,
  removeJobs,
} from './job.records.ts';
import { JobGone, type Job, type JobRequest, type Jobs, type Room } from './jobs.ts';
import { createRunner, type Runner } from './runner.ts';

// Each kind has its own room, so that one whose jobs take long holds up no other.
const AT_ONCE = 64;

/** When another instance on the same database added or left a job, it is found this much later at most, real time. */
const POLL_MS = 1_000;

const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 60_000;

export interface JobsOptions {
  store: Store;
  /** Sandbox time, by which jobs are due. */
  clock: Clock;
  /** Wall time, by which instances notice that another one has stopped. */
  realClock: Clock;
  log: Log;
  /** Unlike that of every other instance alive. */
  instanceId: string;
  /**
   * Whether no other instance works on the store, as is so on SQLite unless said otherwise: then whatever is
   * claimed at start was claimed by one that is gone, and nothing needs to be polled.
   */
  soleOwner?: boolean;
  pollMs?: number;
  /** Jobs that run at once, at most, of a kind that does not say how many. */
  atOnce?: number;
}

export function createJobs(options: JobsOptions): Jobs & { idle(): boolean } {
  const { store, clock, realClock, log, instanceId: owner, pollMs = POLL_MS, atOnce = AT_ONCE } = options;
  const { soleOwner = store.engine === 'sqlite' } = options;
  const handlers = new Map<string, (job: Job) => Promise<void>>();
  const finished = new Set<number>();
  const rooms = new Map<string, Room>();
  const roomOfKind = (kind: string) => rooms.get(kind) ?? { atOnce, hasQueues: false };
  const runner = createRunner({ roomOfKind, run, ended: (job) => claims.ended(job) });
  const claims = new Claims({ store, clock, realClock, log, owner, soleOwner, pollMs, runner });
  const dropped = createDropped(runner);
  const retries = createRetries(options, (job) => {
    runner.take([job]);
    claims.noteFollowers(job.subject);
  });

  async function run(job: Job): Promise<void> {
    let thrown: unknown = new Error('the handler returned without finishing its job');
    try {
      await handlers.get(job.kind)!(job);
    } catch (error) {
      thrown = error;
    }
    if (finished.delete(job.seq) || thrown instanceof JobGone) return;
    const dueMs = await retries.postpone(job, thrown);
    if (dueMs !== undefined) claims.noteWaiting({ ...job, dueMs });
  }

  async function add(tx: Transaction, request: JobRequest): Promise<void> {
    const by = claims.claimer();
    if (request.dueMs <= by.nowMs && claims.mayClaim(request)) {
      const job = await insertClaimed(tx, request, by);
      if (job) return tx.afterCommit(() => runner.take([job]));
    }
    await insertJob(tx, request);
    tx.afterCommit(() => claims.noteWaiting(request));
  }

  return {
    add,
    async reschedule(tx, request) {
      const seqs = await moveJobs(tx, request);
      if (seqs.length === 0) return add(tx, request);
      dropped.add(tx, seqs);
      tx.afterCommit(() => claims.noteWaiting(request));
    },
    cancel: async (tx, kind, subject) => dropped.add(tx, await removeJobs(tx, kind, subject)),
    handle(kind, handler, queues) {
      handlers.set(kind, handler);
      if (queues) rooms.set(kind, { atOnce: queues.atOnce, hasQueues: true });
      claims.addKind(kind, { hasQueues: queues !== undefined });
    },
    async finish(tx, job, outcome) {
      const ours =
        outcome === 'done'
          ? await removeClaimed(tx, job.seq, owner)
          : await postponeClaimed(tx, { seq: job.seq, dueMs: outcome.again, attempts: 0 }, owner);
      if (!ours && !dropped.has(tx, job.seq)) throw new JobGone(`${job.kind} of ${job.subject}`);
      await claims.claimFollower(tx, job);
      tx.afterCommit(() => {
        finished.add(job.seq);
        if (ours && outcome !== 'done') claims.noteWaiting({ ...job, dueMs: outcome.again });
      });
    },
    start: () => claims.start(),
    async stop() {
      retries.stop();
      await Promise.all([runner.stop(), claims.stop()]);
      await claims.release();
    },
    idle: () => claims.idle && runner.idle,
  };
}

/** Jobs that a transaction cancelled or moved. A run of one that has begun finds out when it finishes. */
function createDropped(runner: Pick<Runner, 'drop'>) {
  const dropped = new WeakMap<Transaction, Set<number>>();
  return {
    add(tx: Transaction, seqs: readonly number[]): void {
      if (seqs.length === 0) return;
      dropped.set(tx, new Set([...(dropped.get(tx) ?? []), ...seqs]));
      tx.afterCommit(() => runner.drop(seqs));
    },
    has: (tx: Transaction, seq: number): boolean => dropped.get(tx)?.has(seq) ?? false,
  };
}

/** What becomes of jobs whose handler threw. */
function createRetries({ store, clock, log, instanceId }: JobsOptions, again: (job: Job) => void) {
  const timers = new Set<Timer>();
  let stopped = false;
  return {
    /** Gives the job back, due after a pause: at `dueMs`, or undefined when that is not for the table to say. */
    async postpone(job: Job, thrown: unknown): Promise<number | undefined> {
      const dueMs = clock.nowMs() + Math.min(RETRY_FIRST_MS * 2 ** job.attempts, RETRY_MOST_MS);
      const next = { ...job, dueMs, attempts: job.attempts + 1 };
      try {
        if (!(await postponeClaimed(store, next, instanceId))) return undefined; // cancelled meanwhile
        const failed = { kind: job.kind, subject: job.subject, attempts: next.attempts, err: thrown };
        if (stopped) log.info(failed, 'a job was given up to be done after the next start');
        else log.error(failed, 'a job failed');
        return dueMs;
      } catch (storeFault) {
        // It stays claimed, so nobody else will take it: this instance tries again, from memory.
        log.error(
          { kind: job.kind, subject: job.subject, err: storeFault },
          'a failed job could not be put back',
        );
        if (stopped) return undefined;
        const timer = clock.at(dueMs, () => {
          timers.delete(timer);
          again(next);
        });
        timers.add(timer);
        return undefined;
      }
    },
    stop() {
      stopped = true;
      for (const timer of timers) timer.cancel();
    },
  };
}
