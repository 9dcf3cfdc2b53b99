import type { Job } from './jobs.ts';

/** Claimed jobs that wait for another of their subject to end, in the order in which they are due. */
interface SubjectQueues {
  add(job: Job): void;
  /** Removes the first of a subject and returns it. */
  shift(subject: string): Job | undefined;
  /** Removes these jobs of a subject, and returns those that were found. */
  drop(subject: string, seqs: readonly number[]): Job[];
  all(): Job[];
  clear(): void;
}

export function createSubjectQueues(): SubjectQueues {
  const queues = new Map<string, Job[]>();

  function set(subject: string, jobs: Job[]): void {
    if (jobs.length > 0) queues.set(subject, jobs);
    else queues.delete(subject);
  }

  return {
    add(job) {
      const queue = queues.get(job.subject);
      if (!queue) return set(job.subject, [job]);
      const later = queue.findIndex((other) => isBefore(job, other));
      queue.splice(later < 0 ? queue.length : later, 0, job);
    },
    shift(subject) {
      const [first, ...rest] = queues.get(subject) ?? [];
      set(subject, rest);
      return first;
    },
    drop(subject, seqs) {
      const queue = queues.get(subject) ?? [];
      set(
        subject,
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
