import { Id, Type } from '../../../../protocol/schema.ts';
import { listRoute } from '../../../platform/http/object-routes.ts';
import { noSuch, Refusal } from '../../../platform/http/refusals.ts';
import { route, type FindContext, type Route } from '../../../platform/http/route.ts';
import { UniqueViolation } from '../../../platform/store/store.ts';
import { findActionInProgress, findActions } from '../actions/action.records.ts';
import { lockLocation } from './location.records.ts';
import {
  TERMINAL_GUARDS,
  type TerminalRow,
  terminals,
  toTerminal,
  readTerminal,
} from './terminal.records.ts';
import { defaultName, deviceTypeOf } from './terminal.rules.ts';
import { Terminal, TerminalCreate, TerminalUpdate } from './terminal.schema.ts';

const tag = 'In-person terminal';

/** Finds the terminal of `{id}` in a path, for the caller's account. */
export function terminalById({
  services: { store },
  caller,
  params,
}: FindContext<'id'>): Promise<TerminalRow | undefined> {
  return terminals.find(store, caller.accountId, params.id);
}

const common = { tag, section: 'Spec §4.12', accountHeader: true };

const createTerminalRoute = route({
  ...common,
  operation: 'POST /in-person/terminals',
  access: 'dashboard',
  summary: 'Register a terminal at a location',
  body: TerminalCreate,
  reply: Terminal,
  refusals: ['not_found', 'serial_registered'],
  async handle({ services: { clock, ids, activities, store }, caller, body }) {
    const { serialNumber, name = defaultName(serialNumber) } = body;
    const terminal = {
      ...body,
      id: ids.make('terminal'),
      accountId: caller.accountId,
      name,
      deviceType: deviceTypeOf(serialNumber),
      simulatedBy: null,
    };
    const row = await store
      .transaction(async (tx) => {
        await lockLocation(tx, caller.accountId, body.locationId);
        return terminals.insert(tx, terminal, clock.nowMs());
      }, TERMINAL_GUARDS)
      .catch(refuseRegistered);
    activities.emit({ kind: 'terminal.registered', terminalId: row.id, serialNumber, simulatedBy: null });
    return toTerminal(row, undefined);
  },
});

const listTerminalsRoute = listRoute({
  ...common,
  operation: 'GET /in-person/terminals',
  summary: 'List terminals',
  item: Terminal,
  list: ({ caller }) => terminals.listOf(caller.accountId),
  async showAll(rows: TerminalRow[], { services: { store } }) {
    const lastActions = await findActions(
      store,
      rows.flatMap((row) => row.last_action_id ?? []),
    );
    return rows.map((row) => toTerminal(row, lastActions.get(row.last_action_id ?? '')));
  },
});

const getTerminalRoute = route({
  ...common,
  operation: 'GET /in-person/terminals/{id}',
  summary: 'Retrieve a terminal with its latest action',
  reply: Terminal,
  find: terminalById,
  handle: ({ services: { store }, found }) => readTerminal(store, found),
});

const updateTerminalRoute = route({
  ...common,
  operation: 'PATCH /in-person/terminals/{id}',
  summary: 'Update the name, the location or the metadata of a terminal',
  body: TerminalUpdate,
  reply: Terminal,
  find: terminalById,
  async handle({ services: { clock, activities, store }, caller, body, found }) {
    const row = await store.transaction(async (tx) => {
      if (body.locationId !== undefined) await lockLocation(tx, caller.accountId, body.locationId);
      tx.lockRow('terminals', found.id);
      return terminals.update(tx, found.id, body, clock.nowMs());
    }, TERMINAL_GUARDS);
    if (!row) throw noSuch(tag);
    activities.emit({ kind: 'terminal.changed', terminalId: row.id });
    return readTerminal(store, row);
  },
});

const deleteTerminalRoute = route({
  ...common,
  operation: 'DELETE /in-person/terminals/{id}',
  summary: 'Delete a terminal. It can no longer take payments.',
  reply: Type.Object({ id: Id('terminal') }),
  refusals: ['terminal_in_use'],
  find: terminalById,
  async handle({ services: { clock, activities, store }, found }) {
    await store.transaction(async (tx) => {
      tx.lockRow('terminals', found.id);
      if (await findActionInProgress(tx, found.id)) throw new Refusal('terminal_in_use');
      const deleted = await terminals.delete(tx, found.id, clock.nowMs());
      if (!deleted) throw noSuch(tag);
    }, TERMINAL_GUARDS);
    activities.emit({ kind: 'terminal.removed', terminalId: found.id });
    return { id: found.id };
  },
});

export const terminalRoutes: readonly Route[] = [
  createTerminalRoute,
  listTerminalsRoute,
  getTerminalRoute,
  updateTerminalRoute,
  deleteTerminalRoute,
];

function refuseRegistered(error: unknown): never {
  if (error instanceof UniqueViolation) throw new Refusal('serial_registered');
  throw error;
}
