import type { Location } from '../server/api/in-person/location.resource.ts';
import type { Terminal } from '../server/api/in-person/terminal.resource.ts';
import type { Api } from './api-client.ts';
import { terminalPath } from './terminal-choice.ts';

const SHOP = {
  name: 'Tapbench Shop',
  address: { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' },
};

export interface KnownTerminal {
  id: string;
  serialNumber: string;
  accountId: string;
}

/**
 * Sees to it that the platform has a simulated terminal at a location, and answers where that is and whether
 * the terminal had to be made. A second start finds what the first one made.
 */
export async function ensureShop(
  api: Api,
  platformId: string,
  simulated: KnownTerminal[],
): Promise<{ locationId: string; made: KnownTerminal | undefined }> {
  const own = simulated.find(({ accountId }) => accountId === platformId);
  if (own) {
    const terminal = await api.get<Terminal>(terminalPath(own.id));
    return { locationId: terminal.location.id, made: undefined };
  }
  const shop = await ensureLocation(api);
  const serialNumber = freeSerial(new Set(simulated.map((terminal) => terminal.serialNumber)));
  const { id } = await api.post<Terminal>('/v1/in-person/terminals', { serialNumber, locationId: shop.id });
  return { locationId: shop.id, made: { id, serialNumber, accountId: platformId } };
}

/** The shop where terminals stand that nobody gave another place. */
export async function ensureLocation(api: Api): Promise<Location> {
  const locations = await api.list<Location>('/v1/in-person/locations');
  const known = locations.find(({ name }) => name === SHOP.name);
  return known ?? api.post<Location>('/v1/in-person/locations', SHOP);
}

/** `SIM-0001`, or the next that is free. */
function freeSerial(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const serial = `SIM-${String(number).padStart(4, '0')}`;
    if (!taken.has(serial)) return serial;
  }
}
