import type { Static } from '../../protocol/schema.ts';
import type { SandboxTerminal } from './sandbox-terminal.schema.ts';
import { accountScopeOf } from '../api/accounts/account.records.ts';
import type { Caller } from '../platform/http/auth.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { ActionRow } from '../api/in-person/actions/action.records.ts';
import type { Queries, Row } from '../platform/store/store.ts';

/** A terminal with its latest action. */
interface ControlledTerminalRow extends Row {
  id: string;
  account_id: string;
  serial_number: string;
  name: string;
  online: number;
  simulated_by: string | null;
  action_id: string | null;
  action_type: ActionRow['type'] | null;
  action_status: ActionRow['status'] | null;
}

const SELECT = `SELECT terminal.*, action.id AS action_id, action.type AS action_type, action.status AS action_status
  FROM terminals AS terminal LEFT JOIN actions AS action ON action.id = terminal.last_action_id`;

/** Returns the terminals in the caller's scope, oldest first. */
export function listControlledTerminals(queries: Queries, caller: Caller): Promise<ControlledTerminalRow[]> {
  const scope = accountScopeOf(caller, 'terminal.account_id');
  return queries.all<ControlledTerminalRow>(
    `${SELECT} WHERE terminal.deleted = 0 AND ${scope.where} ORDER BY terminal.seq`,
    ...scope.parameters,
  );
}

/**
 * Returns a terminal in the caller's scope.
 * @throws Refusal `not_found`.
 */
export async function findControlledTerminal(
  queries: Queries,
  caller: Caller,
  id: string,
): Promise<ControlledTerminalRow> {
  const scope = accountScopeOf(caller, 'terminal.account_id');
  const row = await queries.get<ControlledTerminalRow>(
    `${SELECT} WHERE terminal.id = ? AND terminal.deleted = 0 AND ${scope.where}`,
    id,
    ...scope.parameters,
  );
  if (!row) throw new Refusal('not_found', { what: 'terminal' });
  return row;
}

/** @param state the last one that the machine of the terminal reported to this process */
export function toSandboxTerminal(
  row: ControlledTerminalRow,
  state: string | undefined,
): Static<typeof SandboxTerminal> {
  return {
    id: row.id,
    serialNumber: row.serial_number,
    name: row.name,
    accountId: row.account_id,
    online: row.online === 1,
    simulatedBy: row.simulated_by,
    action: row.action_id ? { id: row.action_id, type: row.action_type!, status: row.action_status! } : null,
    state: state ?? null,
  };
}
