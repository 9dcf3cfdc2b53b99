import type { Queue } from './places.ts';

/** Jobs of a kind, or of one queue of it, that this instance does. */
export interface Lane extends Queue {
  /** When to look again for what is due: nothing unclaimed falls due before that is not looked after otherwise. */
  dueMs: number;
  /** More was due than there was room for. */
  backlog: boolean;
}

/** The lanes of the kinds that this instance does: one for each kind, or one for each queue of a kind that has queues. */
export function createLanes() {
  const kinds = new Map<string, { hasQueues: boolean }>();
  const lanes = new Map<string, Lane>();
  const nameOf = ({ kind, queue }: Queue) => `${kind} ${queue}`;

  function lookAt({ kind, queue }: Queue, dueMs: number): boolean {
    if (!kinds.has(kind)) return false;
    const known = lanes.get(nameOf({ kind, queue }));
    if (known && known.dueMs <= dueMs) return false;
    if (known) known.dueMs = dueMs;
    else lanes.set(nameOf({ kind, queue }), { kind, queue, dueMs, backlog: false });
    return true;
  }

  return {
    addKind(kind: string, hasQueues: boolean): void {
      kinds.set(kind, { hasQueues });
      if (!hasQueues) lookAt({ kind, queue: '' }, 0);
    },
    does: (kind: string) => kinds.has(kind),
    kinds: () => [...kinds.keys()],
    kindsWithQueues: () => [...kinds].filter(([, { hasQueues }]) => hasQueues).map(([kind]) => kind),
    all: () => [...lanes.values()],
    hasBacklog: (queue: Queue) => lanes.get(nameOf(queue))?.backlog ?? false,
    /**
     * Has a lane looked at no later than `dueMs`, and makes it where there is none.
     * @returns whether that is earlier than before
     */
    lookAt,
    /** Has every lane looked at whose kind has no queues. */
    lookAtKinds(): void {
      for (const lane of lanes.values()) if (!kinds.get(lane.kind)!.hasQueues) lane.dueMs = 0;
    },
    /** Has the lanes of a kind looked at in which more was due than there was room for. */
    lookAtBacklogs(kind: string): void {
      for (const lane of lanes.values()) if (lane.kind === kind && lane.backlog) lane.dueMs = 0;
    },
  };
}
