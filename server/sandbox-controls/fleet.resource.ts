import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import { findLocation, insertLocation } from '../api/in-person/location.records.ts';
import { insertTerminal } from '../api/in-person/terminal.records.ts';
import { deviceTypeOf } from '../api/in-person/terminal.rules.ts';
import type { Services } from '../platform/services.ts';
import { UniqueViolation, type Transaction } from '../platform/store/store.ts';
import { findBySerials, findFleetLocation, FLEET, joinFleet, type FleetRow } from './fleet.records.ts';
import { Fleet, FleetCreate } from './fleet.schema.ts';

// Other requests wait for a transaction, so a large fleet is many of them.
const BATCH = 250;

const FLEET_ADDRESS = { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' };

const SERIAL_PREFIX = 'SIM-FLEET-';

/** `1` as `SIM-FLEET-0001`. */
function serialNumberOf(position: number): string {
  return `${SERIAL_PREFIX}${String(position).padStart(4, '0')}`;
}

interface Wanted {
  accountId: string;
  locationId: string;
  namePrefix: string;
}

async function locationFor(
  services: Services,
  accountId: string,
  given: string | undefined,
): Promise<string> {
  const { clock, ids, store } = services;
  if (given !== undefined) {
    if (!(await findLocation(store, accountId, given))) throw new Refusal('not_found', { what: 'location' });
    return given;
  }
  const known = await findFleetLocation(store, accountId);
  if (known) return known;
  const location = { id: ids.make('location'), accountId, name: 'Simulated fleet', address: FLEET_ADDRESS };
  return (await store.transaction((tx) => insertLocation(tx, location, clock.nowMs()))).id;
}

/** Sees to it that there are terminals with these serial numbers, and answers them. */
async function ensureTerminals(services: Services, serials: string[], wanted: Wanted) {
  try {
    return await services.store.transaction(async (tx) => {
      const known = await findBySerials(tx, serials);
      const items = [];
      for (const serial of serials) {
        items.push(await ensureTerminal(tx, services, known.get(serial), serial, wanted));
      }
      return items;
    });
  } catch (error) {
    // Somebody registered one of them in the same moment.
    throw error instanceof UniqueViolation ? new Refusal('serial_registered') : error;
  }
}

async function ensureTerminal(
  tx: Transaction,
  { clock, ids, notices }: Services,
  known: FleetRow | undefined,
  serialNumber: string,
  { accountId, locationId, namePrefix }: Wanted,
): Promise<{ id: string; serialNumber: string }> {
  if (known) {
    if (known.account_id !== accountId) throw new Refusal('serial_registered');
    if (known.simulated_by !== FLEET) await joinFleet(tx, known.id);
    return { id: known.id, serialNumber };
  }
  const id = ids.make('terminal');
  const name = `${namePrefix} ${serialNumber.slice(SERIAL_PREFIX.length)}`;
  const deviceType = deviceTypeOf(serialNumber);
  const terminal = { id, accountId, serialNumber, name, deviceType, locationId, simulatedBy: FLEET };
  await insertTerminal(tx, terminal, clock.nowMs());
  tx.afterCommit(() =>
    notices.emit({ kind: 'terminal.registered', terminalId: id, serialNumber, simulatedBy: FLEET }),
  );
  return { id, serialNumber };
}

const createFleetRoute = route({
  operation: 'POST /sandbox/fleets',
  surface: 'sandbox',
  tag: 'Sandbox terminal',
  summary: 'See to it that there are this many simulated terminals, SIM-FLEET-0001 and on',
  section: 'Sandbox',
  accountHeader: true,
  body: FleetCreate,
  reply: Fleet,
  refusals: ['not_found', 'serial_registered'],
  async handle({ services, caller: { accountId }, body }) {
    const locationId = await locationFor(services, accountId, body.locationId);
    const wanted = { accountId, locationId, namePrefix: body.namePrefix ?? 'Fleet' };
    const serials = Array.from({ length: body.terminals }, (_, index) => serialNumberOf(index + 1));
    const items = [];
    for (let from = 0; from < serials.length; from += BATCH) {
      items.push(...(await ensureTerminals(services, serials.slice(from, from + BATCH), wanted)));
    }
    return { items };
  },
});

export const fleetRoutes: readonly Route[] = [createFleetRoute];
