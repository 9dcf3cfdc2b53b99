import { List } from '../platform/http/paging.schema.ts';
import { MachineStepped } from '../../protocol/messages/inspection.messages.ts';
import { type Static } from '../../protocol/schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import type { Services } from '../platform/services.ts';
import { findControlled, listControlled, type ControlledRow } from './sandbox-terminal.records.ts';
import { SandboxTerminal } from './sandbox-terminal.schema.ts';

/** Remembers where each terminal's machine was last seen, for as long as this process lives, and tells of it. */
function watchStates({ gateway, notices }: Services): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  gateway.onReport(MachineStepped, (terminalId, { actionId, event, state, deadlineMs }) => {
    states.set(terminalId, state);
    notices.emit({ kind: 'terminal.stepped', terminalId, actionId, event, state, deadlineMs });
  });
  notices.listen((notice) => {
    if (notice.kind === 'terminal.removed') states.delete(notice.terminalId);
  });
  return states;
}

export function sandboxTerminalRoutes(services: Services): Route[] {
  const { store } = services;
  const states = watchStates(services);
  const common = {
    surface: 'sandbox',
    tag: 'Sandbox terminal',
    section: 'Sandbox',
    accountHeader: true,
  } as const;

  const show = (row: ControlledRow): Static<typeof SandboxTerminal> => ({
    id: row.id,
    serialNumber: row.serial_number,
    name: row.name,
    accountId: row.account_id,
    online: row.online === 1,
    simulatedBy: row.simulated_by,
    action: row.action_id ? { id: row.action_id, type: row.action_type!, status: row.action_status! } : null,
    state: states.get(row.id) ?? null,
  });

  return [
    route({
      ...common,
      operation: 'GET /sandbox/terminals',
      summary: 'List every terminal, of the platform and of its sub accounts',
      reply: List(SandboxTerminal),
      handle: async ({ caller }) => ({ items: (await listControlled(store, caller)).map(show) }),
    }),
    route({
      ...common,
      operation: 'GET /sandbox/terminals/{id}',
      summary: 'Fetch a terminal as the sandbox shows it',
      reply: SandboxTerminal,
      find: ({ caller, params }) => findControlled(store, caller, params['id']!),
      handle: async ({ found }) => show(found),
    }),
  ];
}
