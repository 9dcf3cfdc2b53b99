import type { Job } from './jobs.ts';

export interface RunnerOptions {
  /** Jobs of one kind that run at once, at most. */
  atOnce: number;
  /** Does one job. Never rejects. */
  run(job: Job): Promise<void>;
  /** A job was done, or dropped before it began. */
  ended(job: Job): void;
}

export interface Runner {
  /** Begins these, in their order, as room for their kind and the quiet of their subject allow. */
  take(jobs: readonly Job[]): void;
  /** Forgets those that have not begun. */
  drop(seqs: readonly number[]): void;
  /** How many more of a kind could begin at once. */
  room(kind: string): number;
  holdsSubject(subject: string): boolean;
  /** Everything taken and not ended. */
  held(): Job[];
  readonly idle: boolean;
  /** Begins nothing more; resolves when what has begun has ended. */
  stop(): Promise<void>;
}

/** Runs claimed jobs in memory: so many of a kind at once, one of a subject at a time. */
export function createRunner({ atOnce, run, ended }: RunnerOptions): Runner {
  let waiting: Job[] = [];
  const running = new Set<Job>();
  const runningSubjects = new Set<string>();
  const heldSubjects = createTally();
  const heldKinds = createTally();
  const runningKinds = createTally();
  let stopped = false;
  let drained: (() => void) | undefined;

  function begin(): void {
    if (stopped) return;
    const still: Job[] = [];
    for (const job of waiting) {
      if (runningSubjects.has(job.subject) || runningKinds.count(job.kind) >= atOnce) still.push(job);
      else void runOne(job);
    }
    waiting = still;
  }

  async function runOne(job: Job): Promise<void> {
    running.add(job);
    runningSubjects.add(job.subject);
    runningKinds.add(job.kind);
    await run(job);
    running.delete(job);
    runningSubjects.delete(job.subject);
    runningKinds.remove(job.kind);
    release(job);
    begin();
    if (running.size === 0) drained?.();
  }

  function release(job: Job): void {
    heldSubjects.remove(job.subject);
    heldKinds.remove(job.kind);
    ended(job);
  }

  return {
    take(jobs) {
      if (jobs.length === 0 || stopped) return;
      for (const job of jobs) {
        heldSubjects.add(job.subject);
        heldKinds.add(job.kind);
        waiting.push(job);
      }
      // After the effects of the same commit: what it tells the world comes before what its jobs do.
      queueMicrotask(begin);
    },
    drop(seqs) {
      const dropped = waiting.filter(({ seq }) => seqs.includes(seq));
      waiting = waiting.filter((job) => !dropped.includes(job));
      dropped.forEach(release);
    },
    room: (kind) => Math.max(0, atOnce - heldKinds.count(kind)),
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

function createTally() {
  const counts = new Map<string, number>();
  const count = (key: string) => counts.get(key) ?? 0;
  return {
    count,
    add: (key: string) => void counts.set(key, count(key) + 1),
    remove(key: string) {
      if (count(key) > 1) counts.set(key, count(key) - 1);
      else counts.delete(key);
    },
  };
}
