import type { Location } from '../server/api/in-person/location.schema.ts';
import type { TerminalSummary } from '../server/api/in-person/terminal.records.ts';
import type { Terminal } from '../server/api/in-person/terminal.schema.ts';
import type { Api } from './api-client.ts';

const DEFAULT_LOCATION = {
  name: 'Tapbench Shop',
  address: { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' },
};

/**
 * Registers a location with one simulated terminal for the platform unless it has one. Returns the location's id, and
 * the terminal if it was created.
 */
export async function ensureDefaultTerminal(
  api: Api,
  platformId: string,
  simulated: TerminalSummary[],
): Promise<{ locationId: string; made: TerminalSummary | undefined }> {
  const own = simulated.find(({ accountId }) => accountId === platformId);
  if (own) return { locationId: own.locationId, made: undefined };
  const shop = await ensureDefaultLocation(api);
  const serialNumber = freeSerial(new Set(simulated.map((terminal) => terminal.serialNumber)));
  const { id } = await api.post<Terminal>('/v1/in-person/terminals', { serialNumber, locationId: shop.id });
  return { locationId: shop.id, made: { id, serialNumber, accountId: platformId, locationId: shop.id } };
}

/** Returns the default location, creating it if needed. */
export async function ensureDefaultLocation(api: Api): Promise<Location> {
  const locations = await api.list<Location>('/v1/in-person/locations');
  const known = locations.find(({ name }) => name === DEFAULT_LOCATION.name);
  return known ?? api.post<Location>('/v1/in-person/locations', DEFAULT_LOCATION);
}

/** Returns `SIM-0001`, or the next unused serial number. */
function freeSerial(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const serial = `SIM-${String(number).padStart(4, '0')}`;
    if (!taken.has(serial)) return serial;
  }
}
