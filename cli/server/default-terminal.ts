import type { Item } from '../../protocol/api-client.ts';
import { locations } from '../../server/api/in-person/terminals/location.records.ts';
import { type TerminalSummary, terminals } from '../../server/api/in-person/terminals/terminal.records.ts';
import { defaultName, deviceTypeOf } from '../../server/api/in-person/terminals/terminal.rules.ts';
import type { Transaction } from '../../server/platform/store/store.ts';
import type { SetUpParts } from '../../server/sandboxes/first-objects.ts';
import type { ServerApi } from '../client/api-client.ts';
import { DEFAULT_LOCATION } from './default-location.ts';

/**
 * Registers a location with one simulated terminal for the platform unless it has one. Returns the location's id, and
 * the terminal if it was created.
 */
export async function ensureDefaultTerminal(
  api: ServerApi,
  platformId: string,
  simulated: TerminalSummary[],
): Promise<{ locationId: string; made: TerminalSummary | undefined }> {
  const own = simulated.find(({ accountId }) => accountId === platformId);
  if (own) return { locationId: own.locationId, made: undefined };
  const shop = await ensureDefaultLocation(api);
  const serialNumber = freeSerial(new Set(simulated.map((terminal) => terminal.serialNumber)));
  const { id } = await api.call('POST /v1/in-person/terminals', {
    body: { serialNumber, locationId: shop.id },
  });
  return { locationId: shop.id, made: { id, serialNumber, accountId: platformId, locationId: shop.id } };
}

/** Writes a location with one simulated terminal for the platform into a sandbox that has no terminal. */
export async function addDefaultTerminal(
  tx: Transaction,
  { ids, nowMs, accountId }: SetUpParts,
): Promise<void> {
  const location = { id: ids.make('location'), accountId, ...DEFAULT_LOCATION };
  await locations.insert(tx, location, nowMs);
  const serialNumber = freeSerial(new Set());
  const terminal = {
    id: ids.make('terminal'),
    accountId,
    locationId: location.id,
    serialNumber,
    name: defaultName(serialNumber),
    deviceType: deviceTypeOf(serialNumber),
    simulatedBy: null,
  };
  await terminals.insert(tx, terminal, nowMs);
}

/** Returns the default location, creating it if needed. */
export async function ensureDefaultLocation(api: ServerApi): Promise<Item<'GET /v1/in-person/locations'>> {
  const registered = await api.list('GET /v1/in-person/locations');
  const known = registered.find(({ name }) => name === DEFAULT_LOCATION.name);
  return known ?? api.call('POST /v1/in-person/locations', { body: DEFAULT_LOCATION });
}

/** Returns `SIM-0001`, or the next unused serial number. */
function freeSerial(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const serial = `SIM-${String(number).padStart(4, '0')}`;
    if (!taken.has(serial)) return serial;
  }
}
