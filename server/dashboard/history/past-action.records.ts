import type { Queries, Row } from '../../platform/store/store.ts';
import type { ActionView, PastAction } from '../view.ts';

/** An action of a terminal, whether it runs or is over. */
export interface PastActionRow extends Row {
  id: string;
  terminal_id: string;
  type: ActionView['type'];
  status: ActionView['status'];
  amount_minor: number;
  currency: string;
  session_id: string;
  receipt_source: ActionView['receiptPrintingSource'];
  merchant_copy: string;
  customer_copy: string;
  error_code: string | null;
  error_reason: string | null;
  has_receipt: number;
  created_ms: number;
  completed_ms: number | null;
}

const SELECT = `SELECT id, terminal_id, type, status, amount_minor, currency, session_id, receipt_source,
    merchant_copy, customer_copy, error_code, error_reason, CASE WHEN receipt IS NULL THEN 0 ELSE 1 END AS has_receipt,
    created_ms, completed_ms FROM actions`;

/**
 * Returns the actions of a terminal, newest first.
 * @param before id of an action, which the list begins after
 */
export async function listActionsOf(
  queries: Queries,
  terminalId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<PastAction[]> {
  const rows =
    before === undefined
      ? await queries.all<PastActionRow>(
          `${SELECT} WHERE terminal_id = ? ORDER BY seq DESC LIMIT ?`,
          terminalId,
          limit,
        )
      : await queries.all<PastActionRow>(
          `${SELECT} WHERE terminal_id = ? AND seq < (SELECT seq FROM actions WHERE id = ?)
           ORDER BY seq DESC LIMIT ?`,
          terminalId,
          before,
          limit,
        );
  return rows.map(toPastAction);
}

/** Returns an action; undefined for an unknown id. */
export async function findPastAction(queries: Queries, id: string): Promise<PastAction | undefined> {
  const row = await queries.get<PastActionRow>(`${SELECT} WHERE id = ?`, id);
  return row && toPastAction(row);
}

export function toPastAction(row: PastActionRow): PastAction {
  return {
    id: row.id,
    terminalId: row.terminal_id,
    type: row.type,
    status: row.status,
    amountMinor: row.amount_minor,
    currency: row.currency,
    paymentSessionId: row.session_id,
    receiptPrintingSource: row.receipt_source,
    merchantCopy: row.merchant_copy,
    customerCopy: row.customer_copy,
    errorCode: row.error_code,
    errorReason: row.error_reason,
    hasReceipt: row.has_receipt === 1,
    startedMs: row.created_ms,
    completedMs: row.completed_ms,
  };
}
