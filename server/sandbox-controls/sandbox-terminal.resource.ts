import type { Static } from '../../protocol/schema.ts';
import { List } from '../platform/http/paging.schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import type { Services } from '../platform/services.ts';
import { findControlled, listControlled, type ControlledRow } from './sandbox-terminal.records.ts';
import { SandboxTerminal } from './sandbox-terminal.schema.ts';

const common = {
  surface: 'sandbox',
  tag: 'Sandbox terminal',
  section: 'Sandbox',
  accountHeader: true,
} as const;

function show({ terminalStates }: Services, row: ControlledRow): Static<typeof SandboxTerminal> {
  return {
    id: row.id,
    serialNumber: row.serial_number,
    name: row.name,
    accountId: row.account_id,
    online: row.online === 1,
    simulatedBy: row.simulated_by,
    action: row.action_id ? { id: row.action_id, type: row.action_type!, status: row.action_status! } : null,
    state: terminalStates.get(row.id) ?? null,
  };
}

const listSandboxTerminalsRoute = route({
  ...common,
  operation: 'GET /sandbox/terminals',
  summary: 'List every terminal, of the platform and of its sub accounts',
  reply: List(SandboxTerminal),
  async handle({ services, caller }) {
    const rows = await listControlled(services.store, caller);
    return { items: rows.map((row) => show(services, row)) };
  },
});

const getSandboxTerminalRoute = route({
  ...common,
  operation: 'GET /sandbox/terminals/{id}',
  summary: 'Fetch a terminal as the sandbox shows it',
  reply: SandboxTerminal,
  find: ({ services: { store }, caller, params }) => findControlled(store, caller, params.id),
  handle: async ({ services, found }) => show(services, found),
});

export const sandboxTerminalRoutes: readonly Route[] = [listSandboxTerminalsRoute, getSandboxTerminalRoute];
