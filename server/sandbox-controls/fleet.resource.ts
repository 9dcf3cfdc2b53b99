import { Id, Type, type Static } from '../../protocol/schema.ts';
import { SerialNumber } from '../platform/http/text.schema.ts';
import {
  type Queries,
  retryOnUniqueViolation,
  type Row,
  type Transaction,
  UniqueViolation,
} from '../platform/store/store.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { createLocation, locations, lockLocation } from '../api/in-person/terminals/location.records.ts';
import { TERMINAL_GUARDS, terminals } from '../api/in-person/terminals/terminal.records.ts';
import { deviceTypeOf } from '../api/in-person/terminals/terminal.rules.ts';
import type { Context } from '../platform/context.ts';
import type { Services } from '../platform/services.ts';
import { route, type Route } from '../platform/http/route.ts';

const TERMINALS_MAX = 10_000;

const FleetCreate = Type.Object({
  terminals: Type.Integer({
    minimum: 1,
    maximum: TERMINALS_MAX,
    description: 'Number of simulated terminals',
  }),
  locationId: Type.Optional(
    Type.String({ description: 'Id of the location of new terminals. By default a location is created.' }),
  ),
  namePrefix: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Prefix of the names of new terminals' }),
  ),
});

const Fleet = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Id('terminal'),
        serialNumber: SerialNumber('Serial number of the terminal'),
      }),
      { description: 'Terminals of the fleet' },
    ),
  },
  { title: 'Fleet', description: 'Simulated terminals that were created or connected' },
);

/** Value of `simulated_by` for the terminals of a fleet. */
const FLEET = 'fleet';

interface FleetRow extends Row {
  id: string;
  account_id: string;
  serial_number: string;
  location_id: string;
  simulated_by: string | null;
}

/** Returns the terminals of all accounts with these serial numbers, by serial number. */
async function findBySerials(queries: Queries, serials: string[]): Promise<Map<string, FleetRow>> {
  const marks = serials.map(() => '?').join(', ');
  const rows = await queries.all<FleetRow>(
    `SELECT id, account_id, serial_number, location_id, simulated_by FROM terminals
     WHERE deleted = 0 AND serial_number IN (${marks})`,
    ...serials,
  );
  return new Map(rows.map((row) => [row.serial_number, row]));
}

/** Returns the location of an account's fleet; undefined when it has none. */
async function findFleetLocation(queries: Queries, accountId: string): Promise<string | undefined> {
  const row = await queries.get<{ location_id: string }>(
    `SELECT location_id FROM terminals WHERE account_id = ? AND simulated_by = ? AND deleted = 0 ORDER BY seq LIMIT 1`,
    accountId,
    FLEET,
  );
  return row?.location_id;
}

/** Adds a terminal to the fleet of its account. */
async function addToFleet(tx: Transaction, id: string): Promise<void> {
  await tx.run(`UPDATE terminals SET simulated_by = ? WHERE id = ?`, FLEET, id);
}

// Other requests wait for a transaction, so a large fleet is many of them.
const BATCH = 250;

const FLEET_ADDRESS = { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' };

const SERIAL_PREFIX = 'SIM-FLEET-';

/** `1` as `SIM-FLEET-0001`. */
function serialNumberOf(position: number): string {
  return `${SERIAL_PREFIX}${String(position).padStart(4, '0')}`;
}

interface FleetSettings {
  accountId: string;
  locationId: string;
  namePrefix: string;
}

/** A terminal of a fleet. */
interface FleetTerminal {
  id: string;
  serialNumber: string;
}

/**
 * Registers simulated terminals `SIM-FLEET-0001` and on, as many as requested, and returns them with those that were
 * there before.
 * @throws Refusal `not_found` for an unknown location, `serial_registered` when another account has one of them.
 */
async function ensureFleet(
  services: Services,
  accountId: string,
  { terminals: count, locationId: given, namePrefix = 'Fleet' }: Static<typeof FleetCreate>,
): Promise<FleetTerminal[]> {
  const locationId = await locationFor(services, accountId, given);
  const fleet = { accountId, locationId, namePrefix };
  const serials = Array.from({ length: count }, (_, index) => serialNumberOf(index + 1));
  const items: FleetTerminal[] = [];
  for (let from = 0; from < serials.length; from += BATCH) {
    items.push(...(await ensureTerminals(services, serials.slice(from, from + BATCH), fleet)));
  }
  return items;
}

async function locationFor(services: Context, accountId: string, given: string | undefined): Promise<string> {
  const { clock, ids, store } = services;
  if (given !== undefined) {
    if (!(await locations.find(store, accountId, given)))
      throw new Refusal('not_found', { what: 'location' });
    return given;
  }
  const known = await findFleetLocation(store, accountId);
  if (known) return known;
  const location = { id: ids.make('location'), accountId, name: 'Simulated fleet', address: FLEET_ADDRESS };
  return (await createLocation({ clock, store }, location)).id;
}

/** Registers the terminals of these serial numbers that are not registered yet, and returns all of them. */
async function ensureTerminals(
  services: Services,
  serials: string[],
  fleet: FleetSettings,
): Promise<FleetTerminal[]> {
  try {
    return await retryOnUniqueViolation(
      services.store,
      async (tx) => {
        await lockLocation(tx, fleet.accountId, fleet.locationId);
        const known = await findBySerials(tx, serials);
        const items = [];
        for (const serial of serials) {
          items.push(await ensureTerminal(tx, services, known.get(serial), serial, fleet));
        }
        return items;
      },
      TERMINAL_GUARDS,
    );
  } catch (error) {
    // Another request registered one of them in the same moment.
    throw error instanceof UniqueViolation ? new Refusal('serial_registered') : error;
  }
}

async function ensureTerminal(
  tx: Transaction,
  { clock, ids, activities }: Pick<Services, 'clock' | 'ids' | 'activities'>,
  known: FleetRow | undefined,
  serialNumber: string,
  { accountId, locationId, namePrefix }: FleetSettings,
): Promise<FleetTerminal> {
  if (known) {
    if (known.account_id !== accountId) throw new Refusal('serial_registered');
    if (known.simulated_by !== FLEET) await addToFleet(tx, known.id);
    return { id: known.id, serialNumber };
  }
  const id = ids.make('terminal');
  const name = `${namePrefix} ${serialNumber.slice(SERIAL_PREFIX.length)}`;
  const deviceType = deviceTypeOf(serialNumber);
  const terminal = { id, accountId, serialNumber, name, deviceType, locationId, simulatedBy: FLEET };
  await terminals.insert(tx, terminal, clock.nowMs());
  tx.afterCommit(() =>
    activities.emit({ kind: 'terminal.registered', terminalId: id, serialNumber, simulatedBy: FLEET }),
  );
  return { id, serialNumber };
}

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
