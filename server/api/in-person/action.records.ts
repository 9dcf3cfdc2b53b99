import { toTimestamp } from '../../../protocol/clock.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Queries } from '../../platform/store/store.ts';
import { ACTION } from './action-row.ts';
import type { Action } from './action.schema.ts';

export type ActionRow = RowOf<typeof ACTION, 'created_ms'>;

/** A terminal has one action in progress at most, and a session one refund: `insert` throws UniqueViolation. */
export const actions = storedObjects(
  { table: 'actions', times: ['created_ms'], compared: ['phase'] },
  ACTION,
);

type ErrorSettings = NonNullable<Action['error']>['settings'];

export function toAction(row: ActionRow): Action {
  const settings = { receiptPrintingSource: row.receipt_source };
  return {
    type: 'Transaction',
    status: row.status,
    id: row.id,
    error: errorOf(row, settings),
    transaction: {
      type: row.type,
      paymentSessionId: row.session_id,
      amounts: { requested: row.amount_minor },
      currency: row.currency,
      receiptDetail: {
        customerCopy: { status: row.customer_copy },
        merchantCopy: { status: row.merchant_copy },
      },
      settings,
    },
    createdTimestamp: toTimestamp(row.created_ms),
    ...(row.completed_ms === null ? {} : { completedTimestamp: toTimestamp(row.completed_ms) }),
  };
}

function errorOf(
  { error_code: code, error_reason: reason }: ActionRow,
  settings: ErrorSettings,
): Action['error'] {
  return code === null ? null : { code, ...(reason !== null && { reason }), settings };
}

/** The actions of a page of terminals, by id. */
export async function findActions(queries: Queries, ids: string[]): Promise<Map<string, ActionRow>> {
  if (ids.length === 0) return new Map();
  const marks = ids.map(() => '?').join(', ');
  const rows = await queries.all<ActionRow>(`SELECT * FROM actions WHERE id IN (${marks})`, ...ids);
  return new Map(rows.map((row) => [row.id, row]));
}

export function findActionInProgress(queries: Queries, terminalId: string): Promise<ActionRow | undefined> {
  return queries.get<ActionRow>(
    `SELECT * FROM actions WHERE terminal_id = ? AND status = 'InProgress'`,
    terminalId,
  );
}

export function listActionsInProgress(queries: Queries): Promise<ActionRow[]> {
  return queries.all<ActionRow>(`SELECT * FROM actions WHERE status = 'InProgress' ORDER BY seq`);
}

export async function isRefundInFlight(queries: Queries, sessionId: string): Promise<boolean> {
  const row = await queries.get(
    `SELECT id FROM actions WHERE session_id = ? AND type = 'Refund' AND status = 'InProgress'`,
    sessionId,
  );
  return row !== undefined;
}
