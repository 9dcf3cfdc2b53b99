import type { Job, ConcurrencyLimit } from './jobs.ts';
import { createSlots, type Queue, createCounter } from './slots.ts';
import { createKeyQueues } from './key-queues.ts';

interface RunnerOptions {
  /** How many jobs of a kind run at once, at most. */
  limitOfKind(kind: string): ConcurrencyLimit;
  /** Does one job. Never rejects. */
  run(job: Job): Promise<void>;
  /** Called when a job has ended, or was dropped before it began. */
  ended(job: Job): void;
}

export interface Runner {
  /** Runs these in order, each when its kind has a free slot and no other job of its key runs. */
  take(jobs: readonly Job[]): void;
  /** Drops those of a key that have not begun. */
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
export function createRunner({ limitOfKind, run, ended }: RunnerOptions): Runner {
  /** Jobs that wait for a slot: of each key at most one, and none while one of the key runs. */
  let waiting: Job[] = [];
  const successors = createKeyQueues();
  const running = new Set<Job>();
  const heldKeys = createCounter();
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

  /** Lets the next job of a key wait for a slot. */
  function advance(key: string): void {
    const next = successors.shift(key);
    if (next) waiting.push(next);
  }

  async function runOne(job: Job): Promise<void> {
    running.add(job);
    slots.running.add(job);
    await run(job);
    running.delete(job);
    slots.running.remove(job);
    advance(job.key);
    release(job);
    begin();
    if (running.size === 0) drained?.();
  }

  function release(job: Job): void {
    heldKeys.remove(job.key);
    slots.held.remove(job);
    ended(job);
  }

  return {
    take(jobs) {
      if (jobs.length === 0 || stopped) return;
      for (const job of jobs) {
        if (heldKeys.count(job.key) > 0) successors.add(job);
        else waiting.push(job);
        heldKeys.add(job.key);
        slots.held.add(job);
      }
      // After the other effects of the same commit, so that its activities are emitted before its jobs run.
      queueMicrotask(begin);
    },
    drop(key, seqs) {
      if (heldKeys.count(key) === 0) return;
      const dropped = successors.drop(key, seqs);
      const head = waiting.find((job) => job.key === key && seqs.includes(job.seq));
      waiting = waiting.filter((job) => job !== head);
      if (head) advance(key);
      [...dropped, ...(head ? [head] : [])].forEach(release);
      begin();
    },
    freeSlots: slots.freeSlots,
    heldOfKey: heldKeys.count,
    held: () => [...running, ...waiting, ...successors.all()],
    idle: (count) => running.size === count && waiting.length === 0,
    async stop() {
      stopped = true;
      waiting = [];
      successors.clear();
      if (running.size > 0) await new Promise<void>((resolve) => (drained = resolve));
    },
  };
}
