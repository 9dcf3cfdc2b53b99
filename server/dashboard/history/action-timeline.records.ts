import type { JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { TimelineEntry } from '../view.ts';

/** Entries of an action that were stored at once (server/platform/store/migrations/0023-action-timelines.ts). */
export interface TimelineRow extends Row {
  action_id: string;
  /** Names the process that numbered the entries. */
  recording: string;
  entries: JsonText<TimelineEntry[]>;
}

/** Stores entries of actions, and deletes those before the latest `countMax` rows. */
export async function insertTimelines(
  tx: Transaction,
  rows: readonly TimelineRow[],
  countMax: number,
): Promise<void> {
  for (const { action_id: actionId, recording, entries } of rows)
    await tx.run(
      'INSERT INTO action_timelines (action_id, recording, entries) VALUES (?, ?, ?)',
      actionId,
      recording,
      entries,
    );
  const newest = await tx.get<{ seq: number | null }>('SELECT MAX(seq) AS seq FROM action_timelines');
  await tx.run('DELETE FROM action_timelines WHERE seq <= ?', (newest?.seq ?? 0) - countMax);
}

/** Returns the stored parts of an action's timeline, oldest first. */
export function listTimelines(queries: Queries, actionId: string): Promise<TimelineRow[]> {
  return queries.all<TimelineRow>(
    'SELECT action_id, recording, entries FROM action_timelines WHERE action_id = ? ORDER BY seq',
    actionId,
  );
}

/** Returns the id of a terminal's latest action; undefined when it has none. */
export async function findLatestAction(queries: Queries, terminalId: string): Promise<string | undefined> {
  const row = await queries.get<{ id: string | null }>(
    'SELECT last_action_id AS id FROM terminals WHERE id = ?',
    terminalId,
  );
  return row?.id ?? undefined;
}
