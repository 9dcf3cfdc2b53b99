import type { Job } from './jobs.ts';

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
