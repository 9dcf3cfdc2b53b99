import type { Job, ConcurrencyLimit } from './jobs.ts';
import { createSlots, type Queue } from './slots.ts';
import { createCounter } from './counter.ts';

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
  /** Drops those that have not begun. */
  drop(seqs: readonly number[]): void;
  /** How many more of a queue could begin at once, when `taken` more of its kind are taken from other queues. */
  freeSlots(queue: Queue, taken?: number): number;
  holdsSubject(subject: string): boolean;
  /** Jobs that were taken and have not ended. */
  held(): Job[];
  readonly idle: boolean;
  /** Begins nothing more; resolves when what has begun has ended. */
  stop(): Promise<void>;
}

/** Runs claimed jobs: a limited number of a kind at once, one of a subject at a time. */
export function createRunner({ limitOfKind, run, ended }: RunnerOptions): Runner {
  let waiting: Job[] = [];
  const running = new Set<Job>();
  const runningSubjects = new Set<string>();
  const heldSubjects = createCounter();
  const slots = createSlots(limitOfKind);
  let stopped = false;
  let drained: (() => void) | undefined;

  function begin(): void {
    if (stopped) return;
    const still: Job[] = [];
    for (const job of waiting) {
      if (runningSubjects.has(job.subject) || !slots.mayRun(job)) still.push(job);
      else void runOne(job);
    }
    waiting = still;
  }

  async function runOne(job: Job): Promise<void> {
    running.add(job);
    runningSubjects.add(job.subject);
    slots.running.add(job);
    await run(job);
    running.delete(job);
    runningSubjects.delete(job.subject);
    slots.running.remove(job);
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
        heldSubjects.add(job.subject);
        slots.held.add(job);
        waiting.push(job);
      }
      // After the other effects of the same commit, so that its notices are emitted before its jobs run.
      queueMicrotask(begin);
    },
    drop(seqs) {
      const dropped = waiting.filter(({ seq }) => seqs.includes(seq));
      waiting = waiting.filter((job) => !dropped.includes(job));
      dropped.forEach(release);
    },
    freeSlots: slots.freeSlots,
    holdsSubject: (subject) => heldSubjects.count(subject) > 0,
    held: () => [...running, ...waiting],
    get idle() {
      return running.size === 0 && waiting.length === 0;
    },
    async stop() {
      stopped = true;
      waiting = [];
      if (running.size > 0) await new Promise<void>((resolve) => (drained = resolve));
    },
  };
}
