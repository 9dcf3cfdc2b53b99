import type { SqlValue } from '../../platform/store/store.ts';
import type { EventsAbout, ObjectRow, ObjectType } from './object-type.ts';

/** An SQL condition with its parameters. */
export type Condition = [where: string, ...parameters: SqlValue[]];

/** Fits no row. */
export const NONE: Condition = ['1 = 0'];

/** Returns the condition for the events about an object. */
export function eventsAbout(type: ObjectType, row: ObjectRow): Condition {
  const { objectId, types, atMs, partId }: EventsAbout = type.eventsOf?.(row) ?? { objectId: row.id };
  const conditions: Condition[] = [['object_id = ?', objectId]];
  if (types !== undefined) conditions.push(oneOf('event_type', types));
  if (atMs !== undefined) conditions.push(oneOf('created_ms', atMs));
  if (partId !== undefined) conditions.push(['body LIKE ?', `%"${partId}"%`]);
  return [conditions.map(([where]) => where).join(' AND '), ...conditions.flatMap(([, ...values]) => values)];
}

/** Returns the condition for the balance transactions of the ledger entries that an object caused. */
export function transactionsOf(type: ObjectType, row: ObjectRow): Condition {
  const known = type.entries?.(row);
  if (known) return oneOf('entry_id', known);
  if (type.table === 'accounts') return ['account_id = ?', row.id];
  return [type.origins ? `origin_id IN (${type.origins})` : 'origin_id = ?', row.id];
}

/** Returns the condition for the balance transactions of a balance. */
export function transactionsOfBalance(accountId: string, currency: string): Condition {
  return ['account_id = ? AND currency = ?', accountId, currency];
}

function oneOf(column: string, values: readonly SqlValue[]): Condition {
  if (values.length === 0) return NONE;
  return [`${column} IN (${values.map(() => '?').join(', ')})`, ...values];
}
