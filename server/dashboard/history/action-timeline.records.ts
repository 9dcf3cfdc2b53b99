import type { JsonText } from '../../platform/store/json-text.ts';
import { insertLatest, type RowLimits } from '../../platform/store/latest-rows.ts';
import type { Queries, Row, Store, Transaction } from '../../platform/store/store.ts';
import type { TimelineEntry } from '../view.ts';

/** Entries of an action that were stored at once (server/platform/store/migrations/0023-action-timelines.ts). */
export interface TimelineRow extends Row {
  action_id: string;
  /** Names the process that numbered the entries. */
  recording: string;
  entries: JsonText<TimelineEntry[]>;
}

const COLUMNS = ['action_id', 'recording', 'entries'] as const;

/** Stores entries of actions, and deletes the oldest that are over the limits. */
export async function insertTimelines(
  tx: Transaction,
  engine: Store['engine'],
  rows: readonly TimelineRow[],
  limits: RowLimits,
): Promise<void> {
  const values = rows.map((row) => COLUMNS.map((column) => row[column]));
  const table = { name: 'action_timelines', columns: COLUMNS };
  await insertLatest(tx, engine, { table, rows: values }, limits);
}

/** Does the same, but leaves out entries of actions that are gone, such as by a reset at another server. */
export async function insertTimelinesUnlessGone(
  tx: Transaction,
  engine: Store['engine'],
  rows: readonly TimelineRow[],
  limits: RowLimits,
): Promise<void> {
  // A reset that is under way is waited for, and the actions that it leaves are read.
  tx.delayReset();
  const actions = await tx.all<{ id: string }>(
    `SELECT id FROM actions WHERE id IN (${rows.map(() => '?').join(', ')})`,
    ...rows.map((row) => row.action_id),
  );
  const kept = rows.filter((row) => actions.some(({ id }) => id === row.action_id));
  if (kept.length > 0) await insertTimelines(tx, engine, kept, limits);
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
