import type { Job } from './jobs.ts';

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

/** Claimed jobs that wait for another of their key to end, in the order in which they are due. */
interface KeyQueues {
  add(job: Job): void;
  /** Removes the first of a key and returns it. */
  shift(key: string): Job | undefined;
  /** Removes these jobs of a key, and returns those that were found. */
  drop(key: string, seqs: readonly number[]): Job[];
  all(): Job[];
  clear(): void;
}

export function createKeyQueues(): KeyQueues {
  const queues = new Map<string, Job[]>();

  function set(key: string, jobs: Job[]): void {
    if (jobs.length > 0) queues.set(key, jobs);
    else queues.delete(key);
  }

  return {
    add(job) {
      const queue = queues.get(job.key);
      if (!queue) return set(job.key, [job]);
      const later = queue.findIndex((other) => isBefore(job, other));
      queue.splice(later < 0 ? queue.length : later, 0, job);
    },
    shift(key) {
      const [first, ...rest] = queues.get(key) ?? [];
      set(key, rest);
      return first;
    },
    drop(key, seqs) {
      const queue = queues.get(key) ?? [];
      set(
        key,
        queue.filter(({ seq }) => !seqs.includes(seq)),
      );
      return queue.filter(({ seq }) => seqs.includes(seq));
    },
    all: () => [...queues.values()].flat(),
    clear: () => queues.clear(),
  };
}

function isBefore(job: Job, other: Job): boolean {
  return job.dueMs < other.dueMs || (job.dueMs === other.dueMs && job.seq < other.seq);
}
