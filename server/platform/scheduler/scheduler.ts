import type { Clock, Timer } from '../../../protocol/clock.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { RefusedValue, type Store, type Transaction } from '../store/store.ts';
import { insertBehindClaimed, insertClaimed, insertClaimedIfFree, insertJob } from './added-job.records.ts';
import { Claims } from './claims.ts';
import { rescheduleJobs, postponeClaimed, removeClaimed, removeJobs } from './job.records.ts';
import { createJobEnds } from './job-ends.ts';
import { JobClaimLost, type Job, type JobRequest, type Jobs, type ConcurrencyLimit } from './jobs.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createRunner, type Runner } from './runner.ts';

// Each kind has its own limit, so that a kind with long jobs delays no other.
const AT_ONCE = 64;

/** Longest real time until a job that another instance on the database added or left is found. */
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
  /** Unique among the running instances. */
  instanceId: string;
  /**
   * Whether no other instance uses the store; true by default on SQLite. Then every claim at start was left by an
   * earlier process, and the table is not polled.
   */
  soleOwner?: boolean;
  pollMs?: number;
  /** Jobs that run at once, at most, of a kind without a limit of its own. */
  atOnce?: number;
}

/** The jobs of an instance, and what of them is under way. */
export interface Scheduler extends Jobs {
  idle(running?: number): boolean;
  /** Whether a claim is under way. */
  isClaiming(): boolean;
  /** Jobs that were claimed and have not ended. */
  held(): Job[];
  /** Calls `listener` whenever a job or a claim has ended. */
  onProgress(listener: () => void): void;
  /** The kinds of jobs that have a handler. */
  kinds(): string[];
  /** When the first job of some kinds falls due that is not claimed; Infinity when none will, as far as is known here. */
  nextDueMs(isOne: (kind: string) => boolean): number;
  /** Looks for jobs that other instances have added, before the next poll. */
  checkAgain(): void;
}

export function createJobs(options: JobsOptions): Scheduler {
  const { store, instanceId: owner, pollMs = POLL_MS, atOnce = AT_ONCE } = options;
  const { soleOwner = store.engine === 'sqlite' } = options;
  const claimsSuccessors = soleOwner && store.engine === 'sqlite';
  const handlers = new Map<string, (job: Job) => Promise<void>>();
  const limits = new Map<string, ConcurrencyLimit>();
  const limitOfKind = (kind: string) => limits.get(kind) ?? { atOnce, hasQueues: false };
  const progress = createProgress();
  const ended = (job: Job) => claims.ended(job);
  const runner = createRunner({ limitOfKind, run, ended, interrupted: progress.emit });
  const lanes = createLanes();
  const parts = { owner, soleOwner, claimsSuccessors, pollMs, lanes, runner, onProgress: progress.emit };
  const claims = new Claims({ ...options, ...parts });
  const add = addingTo(store, { claims, runner, claimsSuccessors });
  const dropped = createDropped(runner);
  const finished = new Set<number>();
  const endTogether = createJobEnds({ claims, runner, lanes, dropped, finished });
  // At SERIALIZABLE the search for the next job would conflict with each transaction that adds one.
  const findsNext = (tx: Transaction) => !soleOwner && tx.isGuarded;
  const postponed = (job: Job) => claims.scheduleClaim(job);
  const retries = createRetries(options, { postponed, resume: runner.resume });

  async function run(job: Job): Promise<'ended' | 'interrupted'> {
    const thrown = await runHandler(handlers.get(job.kind)!, job);
    if (finished.delete(job.seq) || thrown instanceof JobClaimLost) return 'ended';
    return retries.after(job, thrown);
  }

  return {
    add,
    async reschedule(tx, request) {
      const seqs = await rescheduleJobs(tx, request);
      if (seqs.length === 0) return add(tx, request);
      dropped.add(tx, request.key, seqs);
      tx.afterCommit(() => claims.scheduleClaim(request));
    },
    cancel: async (tx, kind, key) => dropped.add(tx, key, await removeJobs(tx, kind, key)),
    handle(kind, handler, queues) {
      handlers.set(kind, handler);
      if (queues) limits.set(kind, { atOnce: queues.atOnce, hasQueues: true });
      claims.addKind(kind, { hasQueues: queues !== undefined });
    },
    async finishAll(tx, done) {
      if (findsNext(tx)) return endTogether(tx, done);
      for (const job of done) await this.finish(tx, job, 'done');
    },
    async finish(tx, job, outcome) {
      if (outcome === 'done' && findsNext(tx)) return endTogether(tx, [job]);
      const next = outcome === 'done' ? undefined : { ...job, dueMs: outcome.again, attempts: 0 };
      const stays = next !== undefined && claims.staysClaimed(next);
      const ours = next
        ? await postponeClaimed(tx, next, owner, { release: !stays })
        : await removeClaimed(tx, job.seq, owner);
      if (!ours && !dropped.has(tx, job.seq)) throw new JobClaimLost(`${job.kind} of ${job.key}`);
      await claims.claimSuccessor(tx, job);
      tx.afterCommit(() => {
        finished.add(job.seq);
        if (ours && stays) runner.take([next]);
        else if (ours && next) claims.scheduleClaim(next);
      });
    },
    start: () => claims.start(),
    async stop() {
      retries.stop();
      await Promise.all([runner.stop(), claims.stop()]);
      await claims.release();
    },
    ...progress.watched({ claims, runner, lanes }),
  };
}

interface AddingParts {
  claims: Claims;
  runner: Pick<Runner, 'take'>;
  claimsSuccessors: boolean;
}

/** Returns the function that adds a job, claimed by this instance when it can begin at once. */
function addingTo({ engine }: Store, { claims, runner, claimsSuccessors }: AddingParts): Jobs['add'] {
  const insertAsClaimed = claimsSuccessors ? insertBehindClaimed : insertClaimed;

  function addClaimedIfFree(tx: Transaction, request: JobRequest): void {
    const inserted = insertClaimedIfFree(tx, request, claims.claimer());
    // When it fails, so does the transaction.
    inserted.catch(() => undefined);
    const begin = (job: Job | undefined) => (job ? runner.take([job]) : claims.scheduleClaim(request));
    tx.afterCommit(() => void inserted.then(begin));
  }

  return async (tx, request) => {
    // At SERIALIZABLE the search for an earlier job would conflict with each transaction that adds one: the job is claimed
    // after the commit.
    const canClaim = claims.canClaim(request) && (engine === 'sqlite' || tx.isGuarded);
    if (canClaim && engine === 'postgres') return addClaimedIfFree(tx, request);
    if (canClaim) {
      const job = await insertAsClaimed(tx, request, claims.claimer());
      if (job) return tx.afterCommit(() => runner.take([job]));
    }
    insertJob(tx, request);
    tx.afterCommit(() => claims.scheduleClaim(request));
  };
}

/** Runs the handler of a job. Returns what it threw, or the error of a job that was not finished. */
async function runHandler(handler: (job: Job) => Promise<void>, job: Job): Promise<unknown> {
  try {
    await handler(job);
  } catch (error) {
    return error;
  }
  return new Error('the handler returned without finishing its job');
}

/** Who is told that a job or a claim has ended, and what they can ask. */
function createProgress() {
  const listeners: (() => void)[] = [];
  return {
    emit: () => listeners.forEach((listener) => listener()),
    watched: ({ claims, runner, lanes }: { claims: Claims; runner: Runner; lanes: Lanes }) => ({
      idle: (running = 0) => claims.idle && runner.idle(running),
      isClaiming: () => !claims.idle,
      held: runner.held,
      onProgress: (listener: () => void) => void listeners.push(listener),
      kinds: lanes.kinds,
      nextDueMs: lanes.nextDueMs,
      checkAgain: () => claims.checkAgain(),
    }),
  };
}

/** Jobs that a transaction cancelled or moved. A run in progress gets JobClaimLost when it finishes. */
function createDropped(runner: Pick<Runner, 'drop'>) {
  const dropped = new WeakMap<Transaction, Set<number>>();
  return {
    add(tx: Transaction, key: string, seqs: readonly number[]): void {
      if (seqs.length === 0) return;
      dropped.set(tx, new Set([...(dropped.get(tx) ?? []), ...seqs]));
      tx.afterCommit(() => runner.drop(key, seqs));
    },
    has: (tx: Transaction, seq: number): boolean => dropped.get(tx)?.has(seq) ?? false,
  };
}

/** Retries jobs whose handler threw. */
function createRetries(
  { store, clock, log, instanceId }: JobsOptions,
  { postponed, resume }: { postponed(job: Job): void; resume(interrupted: Job, job: Job): void },
) {
  const timers = new Set<Timer>();
  let stopped = false;

  /** Retries a job from memory. It stays claimed, so no other one of its key comes before it. */
  function later(job: Job, next: Job): 'ended' | 'interrupted' {
    if (stopped) return 'ended';
    const timer = clock.at(next.dueMs, () => {
      timers.delete(timer);
      resume(job, next);
    });
    timers.add(timer);
    return 'interrupted';
  }

  return {
    /** Postpones the job, unless it was cancelled meanwhile, or is retried from memory. */
    async after(job: Job, thrown: unknown): Promise<'ended' | 'interrupted'> {
      const dueMs = clock.nowMs() + Math.min(RETRY_FIRST_MS * 2 ** job.attempts, RETRY_MOST_MS);
      const next = { ...job, dueMs, attempts: job.attempts + 1 };
      const { kind, key } = job;
      if (isStoreFailure(thrown)) {
        log.warn({ kind, key, reason: messageOf(thrown) }, 'a job was interrupted by the store');
        return later(job, next);
      }
      try {
        const ours = await postponeClaimed(store, next, instanceId, { release: true });
        if (!ours) return 'ended';
        const failed = { kind, key, attempts: next.attempts, err: thrown };
        if (stopped) log.info(failed, 'a job was postponed until after the next start');
        else log.error(failed, 'a job failed');
        postponed(next);
        return 'ended';
      } catch (storeFault) {
        log.error({ kind, key, err: storeFault }, 'a failed job could not be postponed');
        return later(job, next);
      }
    },
    stop() {
      stopped = true;
      for (const timer of timers) timer.cancel();
    },
  };
}

/** Whether the store was away. A value that it refuses is the fault of the job. */
function isStoreFailure(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.code === 'store' && !(thrown instanceof RefusedValue);
}
