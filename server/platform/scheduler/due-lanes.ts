import type { Transaction } from '../store/store.ts';
import { firstDueOfKinds } from './job.records.ts';
import type { Lane, Lanes } from './lanes.ts';

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
