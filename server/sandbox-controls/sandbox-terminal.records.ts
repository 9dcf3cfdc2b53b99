import type { Static } from '../../protocol/schema.ts';
import type { SandboxTerminal } from './sandbox-terminal.schema.ts';
import { accountScopeOf } from '../api/accounts/account-scope.ts';
import type { Caller } from '../platform/http/auth.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { ActionRow } from '../api/in-person/action.records.ts';
import type { Queries, Row } from '../platform/store/store.ts';

/** A live terminal with what matters of its latest action. */
interface ControlledRow extends Row {
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

/** Every live terminal that the caller controls, in the order they were registered. */
export function listControlled(queries: Queries, caller: Caller): Promise<ControlledRow[]> {
  const scope = accountScopeOf(caller, 'terminal.account_id');
  return queries.all<ControlledRow>(
    `${SELECT} WHERE terminal.deleted = 0 AND ${scope.where} ORDER BY terminal.seq`,
    ...scope.parameters,
  );
}

/** @throws Refusal `not_found` when the caller controls no live terminal with this id. */
export async function findControlled(queries: Queries, caller: Caller, id: string): Promise<ControlledRow> {
  const scope = accountScopeOf(caller, 'terminal.account_id');
  const row = await queries.get<ControlledRow>(
    `${SELECT} WHERE terminal.id = ? AND terminal.deleted = 0 AND ${scope.where}`,
    id,
    ...scope.parameters,
  );
  if (!row) throw new Refusal('not_found', { what: 'terminal' });
  return row;
}

/** @param state the last one that the machine of the terminal reported to this process */
export function showControlled(
  row: ControlledRow,
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
