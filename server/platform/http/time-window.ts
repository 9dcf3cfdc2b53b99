import { Timestamp, Type, withDescription } from '../../../protocol/schema.ts';
import { listWhere, type PageSource } from '../store/page-source.ts';
import type { SqlValue } from '../store/store.ts';
import { Refusal } from './refusals.ts';

/** The window of a list, epoch seconds, both ends inclusive (Spec §4.1). */
export const TimeWindow = {
  startTimestamp: Type.Optional(
    withDescription(
      Timestamp,
      'Return only objects created at or after this time: a Unix timestamp, in seconds. Must be before `endTimestamp`.',
    ),
  ),
  endTimestamp: Type.Optional(
    withDescription(
      Timestamp,
      'Return only objects created at or before this time: a Unix timestamp, in seconds',
    ),
  ),
};

const DAY_MS = 86_400_000;

/** Midnight UTC of today to now: the default window of lists of payment sessions and subscriptions. */
export function today(nowMs: number): { startTimestamp: number; endTimestamp: number } {
  const startTimestamp = (nowMs - (nowMs % DAY_MS)) / 1000;
  // In the first second of a day the window is not empty either.
  return { startTimestamp, endTimestamp: Math.max(Math.floor(nowMs / 1000), startTimestamp + 1) };
}

/**
 * The condition on `created_ms` that a window means; members not given do not bound it.
 * @throws Refusal `window_backwards` unless it starts before it ends.
 */
export function createdWithin(window: { startTimestamp?: number; endTimestamp?: number }): {
  where: string;
  parameters: SqlValue[];
} {
  const { startTimestamp, endTimestamp } = window;
  if (startTimestamp !== undefined && endTimestamp !== undefined && startTimestamp >= endTimestamp) {
    throw new Refusal('window_backwards');
  }
  const bounds: [string, number][] = [];
  if (startTimestamp !== undefined) bounds.push(['created_ms >= ?', startTimestamp * 1000]);
  // Inclusive: an object made within the last second of the window shows that second.
  if (endTimestamp !== undefined) bounds.push(['created_ms < ?', (endTimestamp + 1) * 1000]);
  return {
    where: bounds.map(([condition]) => condition).join(' AND ') || '1 = 1',
    parameters: bounds.map(([, value]) => value),
  };
}

// Rows of one table are written by several servers, whose clocks may differ by less than this.
const CLOCKS_DIFFER_MS = 60_000;

/**
 * The same condition for a table that grows without end, with an index on its owner (`account_id`, say),
 * `created_ms` and `seq`: since rows are made in the order of time, a window is also a stretch of `seq`, and what
 * lies outside is not read.
 */
function createdInOrder(
  table: string,
  owned: { where: string; parameters: SqlValue[] },
  window: { startTimestamp?: number; endTimestamp?: number },
): { where: string; parameters: SqlValue[] } {
  const created = createdWithin(window);
  const conditions = [created.where];
  const parameters = [...created.parameters];
  const nearest = (comparison: string, order: string) =>
    `(SELECT seq FROM ${table} WHERE ${owned.where} AND created_ms ${comparison} ?
      ORDER BY created_ms ${order}, seq ${order} LIMIT 1)`;
  if (window.startTimestamp !== undefined) {
    conditions.push(`seq > COALESCE(${nearest('<', 'DESC')}, 0)`);
    parameters.push(...owned.parameters, window.startTimestamp * 1000 - CLOCKS_DIFFER_MS);
  }
  if (window.endTimestamp !== undefined) {
    conditions.push(`seq < COALESCE(${nearest('>', 'ASC')}, ${Number.MAX_SAFE_INTEGER})`);
    parameters.push(...owned.parameters, (window.endTimestamp + 1) * 1000 + CLOCKS_DIFFER_MS);
  }
  return { where: conditions.join(' AND '), parameters };
}

/**
 * Returns the objects of a list that were created within a window.
 * @throws Refusal `window_backwards` unless it starts before it ends.
 */
export function listCreatedWithin(
  list: PageSource,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource {
  return listWhere(list, createdInOrder(list.table, list.owned, window));
}
