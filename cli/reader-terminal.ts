import { basename } from 'node:path';
import type { Terminal } from '../server/in-person/terminal.resource.ts';
import type { Api } from './api-client.ts';
import { ensureLocation } from './shop.ts';

const SERIAL_LETTERS_MAX = 40; // docs/choices.md, Serial numbers

/**
 * The id of the terminal that stands for a reader at a port: registered once, found again by its serial number,
 * such as `PN532-ttyUSB0`.
 */
export async function ensureReaderTerminal(api: Api, driver: string, port: string): Promise<string> {
  const place = basename(port).replaceAll(/[^A-Za-z0-9]+/g, '-');
  const serialNumber = `${driver.toUpperCase()}-${place}`.slice(0, SERIAL_LETTERS_MAX).replace(/-+$/, '');
  const terminals = await api.list<Terminal>('/v1/in-person/terminals');
  const known = terminals.find(({ device }) => device.serialNumber === serialNumber);
  if (known) return known.id;
  const location = await ensureLocation(api);
  const body = { serialNumber, locationId: location.id, name: `${driver} at ${port}`.slice(0, 60) };
  return (await api.post<Terminal>('/v1/in-person/terminals', body)).id;
}
