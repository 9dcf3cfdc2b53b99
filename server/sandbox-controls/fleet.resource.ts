import { route, type Route } from '../platform/http/route.ts';
import { Fleet, FleetCreate } from './fleet.schema.ts';
import { ensureFleet } from './fleet-service.ts';

const createFleetRoute = route({
  operation: 'POST /sandbox/fleets',
  surface: 'sandbox',
  tag: 'Sandbox terminal',
  summary: 'Ensure a number of simulated terminals, named SIM-FLEET-0001 and on',
  section: 'Sandbox',
  accountHeader: true,
  body: FleetCreate,
  reply: Fleet,
  refusals: ['not_found', 'serial_registered'],
  handle: async ({ services, caller: { accountId }, body }) => ({
    items: await ensureFleet(services, accountId, body),
  }),
});

export const fleetRoutes: readonly Route[] = [createFleetRoute];
