import type { Queries } from '../../platform/store/store.ts';
import { actions } from './action.records.ts';
import { toTerminal, type TerminalRow } from './terminal.records.ts';
import type { Terminal } from './terminal.schema.ts';

/** Returns a terminal with its latest action, as the API shows it. */
export async function readTerminal(queries: Queries, row: TerminalRow): Promise<Terminal> {
  return toTerminal(row, row.last_action_id ? await actions.findAny(queries, row.last_action_id) : undefined);
}
