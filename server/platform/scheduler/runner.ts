import type { Job, ConcurrencyLimit } from './jobs.ts';
import { createSlots, type Queue, createCounter } from './slots.ts';
import { createWaitingJobs } from './waiting-jobs.ts';

interface RunnerOptions {
  /** How many jobs of a kind run at once, at most. */
  limitOfKind(kind: string): ConcurrencyLimit;
  /** Does one job. Resolves with `interrupted` when it is to be resumed. Never rejects. */
  run(job: Job): Promise<'ended' | 'interrupted'>;
  /** Called when a job has ended, or was dropped before it began. */
  ended(job: Job): void;
  /** Called when a job was interrupted. */
  interrupted(): void;
}

export interface Runner {
  /** Runs these in order, each when its kind has a free slot and no other job of its key runs. */
  take(jobs: readonly Job[]): void;
  /** Runs an interrupted job again, as it is now, unless it was dropped meanwhile. No other job of its key has begun. */
  resume(interrupted: Job, now: Job): void;
  /** Drops those of a key that have not begun, or were interrupted. */
  drop(key: string, seqs: readonly number[]): void;
  /** How many more of a queue could begin at once, when `taken` more of its kind are taken from other queues. */
  freeSlots(queue: Queue, taken?: number): number;
  /** How many jobs of the key were taken and have not ended. */
  heldOfKey(key: string): number;
  /** Jobs that were taken and have not ended. */
  held(): Job[];
  /** Whether none waits, and only this many run. */
  idle(running: number): boolean;
  /** Begins nothing more; resolves when what has begun has ended. */
  stop(): Promise<void>;
}

/** Runs claimed jobs: a limited number of a kind at once, one of a key at a time. */
export function createRunner({ limitOfKind, run, ...listeners }: RunnerOptions): Runner {
  const waiting = createWaitingJobs();
  const running = new Set<Job>();
  const heldKeys = createCounter();
  const slots = createSlots(limitOfKind);
  let stopped = false;
  let drained: (() => void) | undefined;

  function begin(): void {
    if (stopped) return;
    waiting.begin((job) => {
      if (!slots.mayRun(job)) return false;
      void runOne(job);
      return true;
    });
  }

  async function runOne(job: Job): Promise<void> {
    running.add(job);
    slots.running.add(job);
    const outcome = await run(job);
    running.delete(job);
    slots.running.remove(job);
    if (outcome === 'interrupted') {
      waiting.interrupt(job);
      listeners.interrupted();
    } else {
      waiting.advance(job.key);
      release(job);
    }
    begin();
    if (running.size === 0) drained?.();
  }

  function release(job: Job): void {
    heldKeys.remove(job.key);
    slots.held.remove(job);
    listeners.ended(job);
  }

  return {
    take(jobs) {
      if (jobs.length === 0 || stopped) return;
      for (const job of jobs) {
        waiting.add(job, heldKeys.count(job.key) > 0);
        heldKeys.add(job.key);
        slots.held.add(job);
      }
      // After the other effects of the same commit, so that its activities are emitted before its jobs run.
      queueMicrotask(begin);
    },
    resume(interrupted, now) {
      waiting.resume(interrupted, now);
      begin();
    },
    drop(key, seqs) {
      if (heldKeys.count(key) === 0) return;
      waiting.drop(key, seqs).forEach(release);
      begin();
    },
    freeSlots: slots.freeSlots,
    heldOfKey: heldKeys.count,
    held: () => [...running, ...waiting.all()],
    idle: (count) => running.size === count && waiting.isEmpty(),
    async stop() {
      stopped = true;
      waiting.clear();
      if (running.size > 0) await new Promise<void>((resolve) => (drained = resolve));
    },
  };
}
