import { basename } from 'node:path';
import type { Terminal } from '../../server/api/in-person/terminals/terminal.schema.ts';
import type { Api } from '../client/api-client.ts';
import { ensureDefaultLocation } from '../server/default-terminal.ts';

const SERIAL_LETTERS_MAX = 40; // docs/choices.md, Serial numbers
const NAME_LETTERS_MAX = 50; // server/api/in-person/terminals/terminal.schema.ts

/**
 * Returns the id of the terminal for a reader at a port. Registers it the first time, and finds it again by its
 * serial number, such as `PN532-ttyUSB0`. A long port name, as in /dev/serial/by-id, is cut at the start, because its
 * end identifies the device.
 */
export async function ensureReaderTerminal(api: Api, driver: string, port: string): Promise<string> {
  const place = basename(port).replaceAll(/[^A-Za-z0-9]+/g, '-');
  const family = driver.toUpperCase();
  const end = place.slice(-(SERIAL_LETTERS_MAX - family.length - 1)).replaceAll(/^-+|-+$/g, '');
  const serialNumber = `${family}-${end}`;
  const terminals = await api.list<Terminal>('/v1/in-person/terminals');
  const known = terminals.find(({ device }) => device.serialNumber === serialNumber);
  if (known) return known.id;
  const location = await ensureDefaultLocation(api);
  const body = {
    serialNumber,
    locationId: location.id,
    name: `${driver} at ${port}`.slice(0, NAME_LETTERS_MAX),
  };
  return (await api.post<Terminal>('/v1/in-person/terminals', body)).id;
}
