import { actions } from './api/in-person/actions/action.records.ts';
import { isSimulated } from './api/in-person/terminals/terminal.rules.ts';
import type { DashboardPorts } from './dashboard/ports.ts';
import { SERVER_MACHINES } from './machines.ts';
import type { Services } from './platform/services.ts';
import { ROUTES } from './routes.ts';
import { faultNamesAndIds, faultOperations } from './sandbox-controls/faults/fault-names.ts';
import { findControlledAction } from './sandbox-controls/sandbox-action.resource.ts';

/** Connects the dashboard to the areas whose objects it shows. */
export function dashboardPorts(services: Services): DashboardPorts {
  const { store } = services;
  return {
    machines: SERVER_MACHINES,
    faultNames: () =>
      faultNamesAndIds(store, { ...services.terminalMachine, operations: faultOperations(ROUTES) }),
    isSimulated,
    findTerminalOf: async (actionId) => (await actions.findAny(store, actionId))?.terminal_id,
    findReceipt: async (caller, actionId) => (await findControlledAction(store, caller, actionId)).receipt,
  };
}
