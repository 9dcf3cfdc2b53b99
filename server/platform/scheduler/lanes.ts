import type { Queue } from './slots.ts';
import type { Transaction } from '../store/store.ts';
import { firstDueOfKinds } from './job.records.ts';

/** A kind of jobs, or one queue of it, that this instance claims. */
export interface Lane extends Queue {
  /** Time of the next check. No unclaimed job falls due before, other than those behind a held job. */
  dueMs: number;
  /** More jobs were due than there were free slots. */
  backlog: boolean;
}

export type Lanes = ReturnType<typeof createLanes>;

/** Creates the lanes of this instance: one for each kind, or one for each queue of a kind that has queues. */
export function createLanes() {
  const kinds = new Map<string, { hasQueues: boolean }>();
  const lanes = new Map<string, Lane>();
  const nameOf = ({ kind, queue }: Queue) => `${kind} ${queue}`;

  function scheduleCheck({ kind, queue }: Queue, dueMs: number): boolean {
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
      if (!hasQueues) scheduleCheck({ kind, queue: '' }, 0);
    },
    has: (kind: string) => kinds.has(kind),
    kinds: () => [...kinds.keys()],
    kindsWithQueues: () => [...kinds].filter(([, { hasQueues }]) => hasQueues).map(([kind]) => kind),
    all: () => [...lanes.values()],
    /** When the first unclaimed job of these kinds falls due; Infinity when none will. */
    nextDueMs: (isOne: (kind: string) => boolean) =>
      Math.min(...[...lanes.values()].map((lane) => (isOne(lane.kind) ? lane.dueMs : Infinity))),
    hasBacklog: (queue: Queue) => lanes.get(nameOf(queue))?.backlog ?? false,
    /**
     * Schedules a check of a lane at `dueMs` or before, and creates the lane when there is none.
     * @returns whether that is earlier than before
     */
    scheduleCheck,
    /**
     * Sets what a claim found in a lane. The lane of an empty queue is removed, and created again with its next job, so
     * that nothing is left of an endpoint that was deleted.
     * @param dueMs when the next job of the lane is due; Infinity for none
     */
    settle(lane: Lane, { backlog, dueMs }: { backlog: boolean; dueMs: number }): void {
      lane.backlog = backlog;
      lane.dueMs = Math.min(lane.dueMs, dueMs);
      const isEmpty = !backlog && lane.dueMs === Infinity;
      if (isEmpty && kinds.get(lane.kind)!.hasQueues) lanes.delete(nameOf(lane));
    },
    /** Schedules a check of every lane whose kind has no queues, now. */
    checkKinds(): void {
      for (const lane of lanes.values()) if (!kinds.get(lane.kind)!.hasQueues) lane.dueMs = 0;
    },
    /** Schedules a check of the lanes of a kind that have a backlog, now. */
    checkBacklogs(kind: string): void {
      for (const lane of lanes.values()) if (lane.kind === kind && lane.backlog) lane.dueMs = 0;
    },
  };
}

/**
 * Returns those of the lanes in which a job may be due, and schedules the next check of the others. One statement instead
 * of two for each lane: a poll checks all lanes of each open sandbox every second, and most have nothing due. PostgreSQL
 * only.
 */
export async function lanesWithDue(
  tx: Transaction,
  all: Lanes,
  lanes: readonly Lane[],
  nowMs: number,
): Promise<readonly Lane[]> {
  const unnamed = lanes.filter(({ queue }) => queue === '');
  if (unnamed.length < 2) return lanes;
  const first = await firstDueOfKinds(
    tx,
    unnamed.map(({ kind }) => kind),
  );
  const dueMsOf = ({ kind }: Lane) => first.get(kind) ?? Infinity;
  const later = new Set(unnamed.filter((lane) => dueMsOf(lane) > nowMs));
  tx.afterCommit(() => {
    for (const lane of later) all.settle(lane, { backlog: false, dueMs: dueMsOf(lane) });
  });
  return lanes.filter((lane) => !later.has(lane));
}
