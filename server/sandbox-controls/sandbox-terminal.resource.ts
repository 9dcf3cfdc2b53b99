import { ActionStatus, ActionType } from '../../protocol/messages/action.messages.ts';
import { Id, Nullable, Type, withDescription, type Static } from '../../protocol/schema.ts';
import { SerialNumber } from '../platform/http/text.schema.ts';
import { accountScopeOf } from '../api/accounts/account.records.ts';
import type { Caller } from '../platform/http/auth.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { ActionRow } from '../api/in-person/actions/action.records.ts';
import type { Queries, Row } from '../platform/store/store.ts';
import { List } from '../platform/http/paging.schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import { TerminalWait } from './terminal-wait.schema.ts';
import { asksToWait, waitForTerminal } from './terminal-wait.ts';

/** A terminal as the sandbox shows it, real or simulated. */
const SandboxTerminal = Type.Object(
  {
    id: Id('terminal'),
    serialNumber: SerialNumber('Serial number of the terminal'),
    name: Type.String({ description: 'Name of the terminal' }),
    accountId: Id('account', 'Unique identifier of the account that the terminal belongs to'),
    online: Type.Boolean({ description: 'Whether the terminal is connected' }),
    simulatedBy: Nullable(
      Type.String(),
      'Name of the simulator that runs the terminal; null when it did not give one',
    ),
    action: Nullable(
      Type.Object({
        id: Id('action'),
        type: withDescription(ActionType, 'Whether the action takes a payment or refunds one'),
        status: withDescription(
          ActionStatus,
          '`InProgress` until the action ends `Succeeded`, `Failed` or `Cancelled`',
        ),
      }),
      'Latest action of the terminal; null before the first',
    ),
    state: Nullable(
      Type.String(),
      "Last known state of the terminal's state machine; null when none is known",
    ),
  },
  { title: 'SandboxTerminal', description: 'A terminal with its connection and state' },
);

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
function listControlledTerminals(queries: Queries, caller: Caller): Promise<ControlledTerminalRow[]> {
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
function toSandboxTerminal(
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

const common = {
  surface: 'sandbox',
  tag: 'Sandbox terminal',
  section: 'Sandbox',
  accountHeader: true,
} as const;

const listSandboxTerminalsRoute = route({
  ...common,
  operation: 'GET /sandbox/terminals',
  summary: 'List every terminal, of the platform and of its sub accounts',
  reply: List(SandboxTerminal),
  async handle({ services: { store, terminalStates }, caller }) {
    const rows = await listControlledTerminals(store, caller);
    return { items: rows.map((row) => toSandboxTerminal(row, terminalStates.get(row.id))) };
  },
});

const getSandboxTerminalRoute = route({
  ...common,
  operation: 'GET /sandbox/terminals/{id}',
  summary: 'Retrieve a terminal as the sandbox shows it, at once or when it is as the query asks',
  query: TerminalWait,
  reply: SandboxTerminal,
  find: ({ services: { store }, caller, params }) => findControlledTerminal(store, caller, params.id),
  async handle({ services, caller, query, found }) {
    const seenAs = (row: ControlledTerminalRow, state = services.terminalStates.get(row.id)) =>
      toSandboxTerminal(row, state);
    if (!asksToWait(query)) return seenAs(found);
    return waitForTerminal(services, found.id, query, async (stepState) =>
      seenAs(await findControlledTerminal(services.store, caller, found.id), stepState),
    );
  },
});

export const sandboxTerminalRoutes: readonly Route[] = [listSandboxTerminalsRoute, getSandboxTerminalRoute];
