import type { Transaction } from '../store/store.ts';

/** Everything that is due later, or at once but outside the transaction that asked for it, is a job. */
export interface Job {
  seq: number;
  kind: string;
  /** Which queue of its kind it is in; empty for a kind without queues. */
  queue: string;
  /** The id of what it is about; jobs are cancelled by kind and subject. */
  subject: string;
  payload: unknown;
  dueMs: number;
  /** Runs that threw since it was added or last postponed. */
  attempts: number;
}

export interface JobRequest {
  kind: string;
  queue?: string;
  subject: string;
  payload?: unknown;
  dueMs: number;
}

/** How many jobs of a kind run at once, at most, and whether its queues share that fairly. */
export interface Room {
  atOnce: number;
  hasQueues: boolean;
}

/** What becomes of a job after a run: gone, or due again. */
export type JobOutcome = { again: number } | 'done';

/**
 * Jobs of one kind are begun in the order of their instants, several at once; jobs of one subject one after the
 * other, whichever instance does them.
 */
export interface Jobs {
  /** Puts a job into the outbox of this transaction; one that is due already is begun by this instance right after the commit. */
  add(tx: Transaction, request: JobRequest): Promise<void>;
  /**
   * Moves the job of a kind about a subject to another instant, or adds it where there is none. A run under way is
   * undone, as by `cancel`.
   */
  reschedule(tx: Transaction, request: JobRequest): Promise<void>;
  /** Takes back what was not done yet. A run under way finds out when it finishes, and is undone. */
  cancel(tx: Transaction, kind: string, subject: string): Promise<void>;
  /**
   * Says who does jobs of a kind. The handler ends the job itself, inside the transaction in which it does the
   * work, with `finish`: so the work and the end of the job are one commit. A handler that throws, or returns
   * without `finish`, is run again after 1 s, 2 s, 4 s ... at most a minute.
   * @param queues shares the room of the kind out to its queues; without it the kind has none
   */
  handle(kind: string, run: (job: Job) => Promise<void>, queues?: { atOnce: number }): void;
  /**
   * Ends or postpones a job, in the handler's own transaction.
   * @throws JobGone, which undoes the transaction, when another transaction cancelled the job since this run began
   * or another instance took it over; let it pass.
   */
  finish(tx: Transaction, job: Job, outcome: JobOutcome): Promise<void>;
  start(): void;
  /** Stops claiming and resolves when the jobs under way have ended. */
  stop(): Promise<void>;
}

/** The job of this run is no longer this run's to end. */
export class JobGone extends Error {
  override name = 'JobGone';
}
