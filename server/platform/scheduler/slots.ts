import type { Job, ConcurrencyLimit } from './jobs.ts';

/** Counts occurrences by key. */
export function createCounter() {
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

/** A kind of jobs, or one queue of it. */
export type Queue = Pick<Job, 'kind' | 'queue'>;

/**
 * Returns how many more jobs of a queue may run. A queue may hold as many slots as are free beside its own: the more
 * slots are taken, the fewer one queue may hold, so queues whose jobs never end leave slots for the others (the dynamic
 * threshold of Choudhury and Hahne, 1998).
 * @param held slots taken by the whole kind, and by the queue
 */
function freeSlotsOf(
  { atOnce, hasQueues }: ConcurrencyLimit,
  held: { ofKind: number; ofQueue: number },
): number {
  const free = atOnce - held.ofKind;
  return Math.max(0, hasQueues ? Math.ceil((free - held.ofQueue) / 2) : free);
}

/** Counts the slots of each kind and queue: of held jobs, claimed or running, and of running ones. */
export function createSlots(limitOfKind: (kind: string) => ConcurrencyLimit) {
  const held = createCounts();
  const running = createCounts();
  return {
    held,
    running,
    /** Whether a held job may begin. */
    mayRun: (job: Queue) =>
      freeSlotsOf(limitOfKind(job.kind), { ofKind: running.ofKind(job), ofQueue: running.ofQueue(job) }) > 0,
    /** How many more jobs of a queue may be held, when `taken` more of its kind are taken from other queues. */
    freeSlots(queue: Queue, taken = 0): number {
      const limit = limitOfKind(queue.kind);
      // Where queues share slots, a held job that waits takes none from other queues.
      const ofKind = (limit.hasQueues ? running : held).ofKind(queue) + taken;
      return freeSlotsOf(limit, { ofKind, ofQueue: held.ofQueue(queue) });
    },
  };
}

/** Counts jobs by kind and by queue. */
function createCounts() {
  const kinds = createCounter();
  const queues = createCounter();
  const nameOf = ({ kind, queue }: Queue) => `${kind} ${queue}`;
  return {
    add(queue: Queue): void {
      kinds.add(queue.kind);
      queues.add(nameOf(queue));
    },
    remove(queue: Queue): void {
      kinds.remove(queue.kind);
      queues.remove(nameOf(queue));
    },
    ofKind: ({ kind }: Queue) => kinds.count(kind),
    ofQueue: (queue: Queue) => queues.count(nameOf(queue)),
  };
}
