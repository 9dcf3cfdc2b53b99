import type { Job, Room } from './jobs.ts';
import { createTally } from './tally.ts';

/** What shares room with others: a kind of jobs, or one queue of it. */
export type Queue = Pick<Job, 'kind' | 'queue'>;

/**
 * How many more jobs of a queue may run. A queue may take as many places as are free beside its own: the more places
 * are taken, the fewer one queue may hold, so however many queues never end their jobs, places are left for another
 * (the dynamic threshold of Choudhury and Hahne, 1998).
 * @param held places that are taken: of the whole kind, and by the queue
 */
function roomOf({ atOnce, hasQueues }: Room, held: { ofKind: number; ofQueue: number }): number {
  const free = atOnce - held.ofKind;
  return Math.max(0, hasQueues ? Math.ceil((free - held.ofQueue) / 2) : free);
}

/** Who has places: jobs that are held, claimed or running, and of those the ones that run. */
export function createPlaces(roomOfKind: (kind: string) => Room) {
  const held = createCounts();
  const running = createCounts();
  return {
    held,
    running,
    /** Whether a held job may begin. */
    mayRun: (job: Queue) =>
      roomOf(roomOfKind(job.kind), { ofKind: running.ofKind(job), ofQueue: running.ofQueue(job) }) > 0,
    /** How many more jobs of a queue may be held, when `taken` more of its kind are taken from other queues. */
    room(queue: Queue, taken = 0): number {
      const room = roomOfKind(queue.kind);
      // Where queues share, a held job that waits for its place takes none from other queues.
      const ofKind = (room.hasQueues ? running : held).ofKind(queue) + taken;
      return roomOf(room, { ofKind, ofQueue: held.ofQueue(queue) });
    },
  };
}

/** Counts jobs by kind and by queue. */
function createCounts() {
  const kinds = createTally();
  const queues = createTally();
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
