import type { Queries, Row } from '../platform/store/store.ts';
import type { ActionView } from './view.ts';

/** A registered terminal with its latest action. */
export interface BoardRow extends Row {
  id: string;
  name: string;
  serial_number: string;
  account_id: string;
  device_type: string;
  simulated_by: string | null;
  online: number;
  action_id: string | null;
  type: ActionView['type'];
  status: ActionView['status'];
  /** State of its machine on the server. */
  phase: string;
  amount_minor: number;
  currency: string;
  session_id: string;
  receipt_source: ActionView['receiptPrintingSource'];
  merchant_copy: string;
  customer_copy: string;
  error_code: string | null;
  error_reason: string | null;
  started_ms: number;
}

const SELECT = `SELECT terminal.id, terminal.name, terminal.serial_number, terminal.account_id, terminal.device_type,
    terminal.simulated_by, terminal.online, action.id AS action_id, action.type, action.status, action.phase,
    action.amount_minor, action.currency, action.session_id, action.receipt_source, action.merchant_copy, action.customer_copy,
    action.error_code, action.error_reason, action.created_ms AS started_ms
  FROM terminals AS terminal LEFT JOIN actions AS action ON action.id = terminal.last_action_id
  WHERE terminal.deleted = 0`;

/** Every registered terminal of every account, in the order of registration. */
export function listBoard(queries: Queries): Promise<BoardRow[]> {
  return queries.all<BoardRow>(`${SELECT} ORDER BY terminal.seq`);
}

// SQLite takes 32,766 parameters, PostgreSQL 65,535; a whole fleet that changes at once is read in parts.
const IDS_MAX = 500;

/** The registered terminals among these ids. */
export async function findOnBoard(queries: Queries, ids: readonly string[]): Promise<BoardRow[]> {
  const rows: BoardRow[] = [];
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const part = ids.slice(start, start + IDS_MAX);
    const marks = part.map(() => '?').join(', ');
    rows.push(...(await queries.all<BoardRow>(`${SELECT} AND terminal.id IN (${marks})`, ...part)));
  }
  return rows;
}
