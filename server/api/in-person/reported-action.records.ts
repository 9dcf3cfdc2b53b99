import type { Transaction } from '../../platform/store/store.ts';
import type { KeyedTerminal } from '../pairing/transaction-keys.ts';
import type { ActionRow } from './action.records.ts';

/** The action that a report refers to, and what the keys of its terminal derive from. */
export interface ReportedAction {
  action: ActionRow;
  terminal: KeyedTerminal;
}

/**
 * Reads the action that a report refers to. Returns `no terminal` when the terminal is deleted, and `no action` when
 * the action is not the terminal's.
 */
export async function findReportedAction(
  tx: Transaction,
  terminalId: string,
  actionId: string,
): Promise<ReportedAction | 'no terminal' | 'no action'> {
  const row = await tx.get<ActionRow & KeyedTerminal>(
    `SELECT a.*, t.key_scheme, t.pairing_generation
     FROM terminals t LEFT JOIN actions a ON a.id = ? AND a.terminal_id = t.id
     WHERE t.id = ? AND t.deleted = 0`,
    actionId,
    terminalId,
  );
  if (!row) return 'no terminal';
  if ((row.id as string | null) === null) return 'no action';
  const { key_scheme, pairing_generation } = row;
  // The row itself: a copy without these two columns takes as long as reading it.
  return { action: row, terminal: { id: terminalId, key_scheme, pairing_generation } };
}
