import { columnsOf, rowOf } from '../../platform/store/joined-row.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { SESSION_COLUMNS, type PaymentSessionRow } from '../payments/payment-session-row.ts';
import { ACTION_COLUMNS, type ActionRow } from './action.records.ts';
import { TERMINAL_COLUMNS, type TerminalRow } from './terminal.records.ts';

/** The terminal, the action and the payment session of a report. */
export interface ReportedAction {
  terminal: TerminalRow;
  action: ActionRow;
  session: PaymentSessionRow;
}

const SELECT = `SELECT ${columnsOf('t', TERMINAL_COLUMNS)}, ${columnsOf('a', ACTION_COLUMNS)},
    ${columnsOf('s', SESSION_COLUMNS)}
  FROM terminals t
  LEFT JOIN actions a ON a.id = ? AND a.terminal_id = t.id
  LEFT JOIN payment_sessions s ON s.id = a.session_id
  WHERE t.id = ? AND t.deleted = 0`;

/**
 * Reads what a report refers to. Returns `no terminal` when the terminal is deleted, and `no action` when the action
 * is not the terminal's.
 */
export async function findReportedAction(
  tx: Transaction,
  terminalId: string,
  actionId: string,
): Promise<ReportedAction | 'no terminal' | 'no action'> {
  const joined = await tx.get(SELECT, actionId, terminalId);
  if (!joined) return 'no terminal';
  const terminal = rowOf<TerminalRow>(joined, 't', TERMINAL_COLUMNS)!;
  const action = rowOf<ActionRow>(joined, 'a', ACTION_COLUMNS);
  const session = rowOf<PaymentSessionRow>(joined, 's', SESSION_COLUMNS);
  return action && session ? { terminal, action, session } : 'no action';
}
