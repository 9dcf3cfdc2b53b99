import type { Transaction } from '../store/store.ts';

/** Work that is due later, or now but outside the transaction that adds it. */
export interface Job {
  seq: number;
  kind: string;
  /** Which queue of its kind it is in; empty for a kind without queues. */
  queue: string;
  /** What it is for, most often the id of an object. Jobs of one key run one at a time, and are cancelled by kind and key. */
  key: string;
  payload: unknown;
  dueMs: number;
  /** Runs that threw since it was added or last postponed. */
  attempts: number;
}

export interface JobRequest {
  kind: string;
  queue?: string;
  key: string;
  payload?: unknown;
  dueMs: number;
}

/** How many jobs of a kind run at once, at most, and whether its queues share them fairly. */
export interface ConcurrencyLimit {
  atOnce: number;
  hasQueues: boolean;
}

/** Result of a run: the job is removed, or due again at a time. */
type JobOutcome = { again: number } | 'done';

/**
 * Jobs of one kind begin in the order in which they are due, several at once; jobs of one key run one at a time,
 * across all instances.
 */
export interface Jobs {
  /** Puts a job into the outbox of this transaction; one that is due already is begun by this instance right after the commit. */
  add(tx: Transaction, request: JobRequest): Promise<void>;
  /**
   * Moves the job of a kind and key to another instant, or adds it where there is none. A run under way is
   * undone, as by `cancel`.
   */
  reschedule(tx: Transaction, request: JobRequest): Promise<void>;
  /** Removes the job. A run in progress gets JobClaimLost when it finishes, which undoes it. */
  cancel(tx: Transaction, kind: string, key: string): Promise<void>;
  /**
   * Sets the handler of a kind. The handler ends the job itself with `finish`, in the transaction in which it does the
   * work, so that the work and the end of the job are one commit. A handler that throws, or returns
   * without `finish`, is run again after 1 s, 2 s, 4 s ... at most a minute.
   * @param queues limit of jobs at once, shared fairly by the queues of the kind; without it the kind has no queues
   */
  handle(kind: string, run: (job: Job) => Promise<void>, queues?: { atOnce: number }): void;
  /**
   * Ends or postpones a job, in the handler's own transaction.
   * @throws JobClaimLost, which undoes the transaction, when another transaction cancelled the job since this run began
   * or another instance took it over; do not catch it.
   */
  finish(tx: Transaction, job: Job, outcome: JobOutcome): Promise<void>;
  /** Ends jobs that are done, together. @throws JobClaimLost as `finish` */
  finishAll(tx: Transaction, jobs: readonly Job[]): Promise<void>;
  start(): void;
  /** Stops claiming and resolves when the jobs under way have ended. */
  stop(): Promise<void>;
}

/** The job was cancelled, moved or taken over since this run began. */
export class JobClaimLost extends Error {
  override name = 'JobClaimLost';
}
