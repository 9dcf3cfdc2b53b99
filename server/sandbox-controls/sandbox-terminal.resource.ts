import { List } from '../platform/http/paging.schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import {
  findControlledTerminal,
  listControlledTerminals,
  toSandboxTerminal,
} from './sandbox-terminal.records.ts';
import { SandboxTerminal } from './sandbox-terminal.schema.ts';

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
  summary: 'Retrieve a terminal as the sandbox shows it',
  reply: SandboxTerminal,
  find: ({ services: { store }, caller, params }) => findControlledTerminal(store, caller, params.id),
  handle: async ({ services: { terminalStates }, found }) =>
    toSandboxTerminal(found, terminalStates.get(found.id)),
});

export const sandboxTerminalRoutes: readonly Route[] = [listSandboxTerminalsRoute, getSandboxTerminalRoute];
