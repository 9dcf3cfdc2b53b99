import type { Job, Room } from './jobs.ts';
import { createPlaces, type Queue } from './places.ts';
import { createTally } from './tally.ts';

interface RunnerOptions {
  /** How many jobs of a kind run at once, at most. */
  roomOfKind(kind: string): Room;
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
  /** How many more of a queue could begin at once, when `taken` more of its kind are taken from other queues. */
  room(queue: Queue, taken?: number): number;
  holdsSubject(subject: string): boolean;
  /** Everything taken and not ended. */
  held(): Job[];
  readonly idle: boolean;
  /** Begins nothing more; resolves when what has begun has ended. */
  stop(): Promise<void>;
}

/** Runs claimed jobs in memory: so many of a kind at once, one of a subject at a time. */
export function createRunner({ roomOfKind, run, ended }: RunnerOptions): Runner {
  let waiting: Job[] = [];
  const running = new Set<Job>();
  const runningSubjects = new Set<string>();
  const heldSubjects = createTally();
  const places = createPlaces(roomOfKind);
  let stopped = false;
  let drained: (() => void) | undefined;

  function begin(): void {
    if (stopped) return;
    const still: Job[] = [];
    for (const job of waiting) {
      if (runningSubjects.has(job.subject) || !places.mayRun(job)) still.push(job);
      else void runOne(job);
    }
    waiting = still;
  }

  async function runOne(job: Job): Promise<void> {
    running.add(job);
    runningSubjects.add(job.subject);
    places.running.add(job);
    await run(job);
    running.delete(job);
    runningSubjects.delete(job.subject);
    places.running.remove(job);
    release(job);
    begin();
    if (running.size === 0) drained?.();
  }

  function release(job: Job): void {
    heldSubjects.remove(job.subject);
    places.held.remove(job);
    ended(job);
  }

  return {
    take(jobs) {
      if (jobs.length === 0 || stopped) return;
      for (const job of jobs) {
        heldSubjects.add(job.subject);
        places.held.add(job);
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
    room: places.room,
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
