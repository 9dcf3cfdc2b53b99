import type { Job } from './jobs.ts';
import { createKeyQueues } from './key-queues.ts';

/** Claimed jobs that do not run. */
interface WaitingJobs {
  /** @param behind whether another job of its key is claimed, and comes first */
  add(job: Job, behind: boolean): void;
  /** Lets the next job of a key wait for a slot. */
  advance(key: string): void;
  /** Removes each job that waits for a slot and that `tryRun` takes. */
  begin(tryRun: (job: Job) => boolean): void;
  /** Keeps a job that has run in vain before those of its key. */
  interrupt(job: Job): void;
  /** Lets an interrupted job, as it is now, wait for a slot. Does nothing when it was dropped meanwhile. */
  resume(interrupted: Job, now: Job): void;
  /** Removes jobs of a key, and returns those that were found. */
  drop(key: string, seqs: readonly number[]): Job[];
  /** Whether none waits for a slot. */
  isEmpty(): boolean;
  all(): Job[];
  clear(): void;
}

export function createWaitingJobs(): WaitingJobs {
  /** Of each key at most one, and none while one of the key runs or is interrupted. */
  let ready: Job[] = [];
  const successors = createKeyQueues();
  const interrupted = new Set<Job>();

  function advance(key: string): void {
    const next = successors.shift(key);
    if (next) ready.push(next);
  }

  return {
    add(job, behind) {
      if (behind) successors.add(job);
      else ready.push(job);
    },
    advance,
    begin(tryRun) {
      ready = ready.filter((job) => !tryRun(job));
    },
    interrupt: (job) => void interrupted.add(job),
    resume(job, now) {
      if (interrupted.delete(job)) ready.push(now);
    },
    drop(key, seqs) {
      const dropped = successors.drop(key, seqs);
      const first = [...ready, ...interrupted].find((job) => job.key === key && seqs.includes(job.seq));
      if (!first) return dropped;
      ready = ready.filter((job) => job !== first);
      interrupted.delete(first);
      advance(key);
      return [...dropped, first];
    },
    isEmpty: () => ready.length === 0,
    all: () => [...interrupted, ...ready, ...successors.all()],
    clear() {
      ready = [];
      interrupted.clear();
      successors.clear();
    },
  };
}
