import type { Job, ConcurrencyLimit } from './jobs.ts';
import { createSlots, type Queue } from './slots.ts';
import { createCounter } from './counter.ts';
import { createSubjectQueues } from './subject-queues.ts';

interface RunnerOptions {
  /** How many jobs of a kind run at once, at most. */
  limitOfKind(kind: string): ConcurrencyLimit;
  /** Does one job. Never rejects. */
  run(job: Job): Promise<void>;
  /** Called when a job has ended, or was dropped before it began. */
  ended(job: Job): void;
}

export interface Runner {
  /** Runs these in order, each when its kind has a free slot and no other job of its subject runs. */
  take(jobs: readonly Job[]): void;
  /** Drops those of a subject that have not begun. */
  drop(subject: string, seqs: readonly number[]): void;
  /** How many more of a queue could begin at once, when `taken` more of its kind are taken from other queues. */
  freeSlots(queue: Queue, taken?: number): number;
  /** How many jobs of the subject were taken and have not ended. */
  heldOfSubject(subject: string): number;
  /** Jobs that were taken and have not ended. */
  held(): Job[];
  /** Whether none waits, and only this many run. */
  idle(running: number): boolean;
  /** Begins nothing more; resolves when what has begun has ended. */
  stop(): Promise<void>;
}

/** Runs claimed jobs: a limited number of a kind at once, one of a subject at a time. */
export function createRunner({ limitOfKind, run, ended }: RunnerOptions): Runner {
  /** Jobs that wait for a slot: of each subject at most one, and none while one of the subject runs. */
  let waiting: Job[] = [];
  const followers = createSubjectQueues();
  const running = new Set<Job>();
  const heldSubjects = createCounter();
  const slots = createSlots(limitOfKind);
  let stopped = false;
  let drained: (() => void) | undefined;

  function begin(): void {
    if (stopped) return;
    waiting = waiting.filter((job) => {
      if (!slots.mayRun(job)) return true;
      void runOne(job);
      return false;
    });
  }

  /** Lets the next job of a subject wait for a slot. */
  function advance(subject: string): void {
    const next = followers.shift(subject);
    if (next) waiting.push(next);
  }

  async function runOne(job: Job): Promise<void> {
    running.add(job);
    slots.running.add(job);
    await run(job);
    running.delete(job);
    slots.running.remove(job);
    advance(job.subject);
    release(job);
    begin();
    if (running.size === 0) drained?.();
  }

  function release(job: Job): void {
    heldSubjects.remove(job.subject);
    slots.held.remove(job);
    ended(job);
  }

  return {
    take(jobs) {
      if (jobs.length === 0 || stopped) return;
      for (const job of jobs) {
        if (heldSubjects.count(job.subject) > 0) followers.add(job);
        else waiting.push(job);
        heldSubjects.add(job.subject);
        slots.held.add(job);
      }
      // After the other effects of the same commit, so that its activities are emitted before its jobs run.
      queueMicrotask(begin);
    },
    drop(subject, seqs) {
      if (heldSubjects.count(subject) === 0) return;
      const dropped = followers.drop(subject, seqs);
      const head = waiting.find((job) => job.subject === subject && seqs.includes(job.seq));
      waiting = waiting.filter((job) => job !== head);
      if (head) advance(subject);
      [...dropped, ...(head ? [head] : [])].forEach(release);
      begin();
    },
    freeSlots: slots.freeSlots,
    heldOfSubject: heldSubjects.count,
    held: () => [...running, ...waiting, ...followers.all()],
    idle: (count) => running.size === count && waiting.length === 0,
    async stop() {
      stopped = true;
      waiting = [];
      followers.clear();
      if (running.size > 0) await new Promise<void>((resolve) => (drained = resolve));
    },
  };
}
