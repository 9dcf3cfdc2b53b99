import type { Queries, Row, Transaction } from '../platform/store/store.ts';

/** Value of `simulated_by` for the terminals of a fleet. */
export const FLEET = 'fleet';

export interface FleetRow extends Row {
  id: string;
  account_id: string;
  serial_number: string;
  location_id: string;
  simulated_by: string | null;
}

/** Returns the terminals of all accounts with these serial numbers, by serial number. */
export async function findBySerials(queries: Queries, serials: string[]): Promise<Map<string, FleetRow>> {
  const marks = serials.map(() => '?').join(', ');
  const rows = await queries.all<FleetRow>(
    `SELECT id, account_id, serial_number, location_id, simulated_by FROM terminals
     WHERE deleted = 0 AND serial_number IN (${marks})`,
    ...serials,
  );
  return new Map(rows.map((row) => [row.serial_number, row]));
}

/** Returns the location of an account's fleet; undefined when it has none. */
export async function findFleetLocation(queries: Queries, accountId: string): Promise<string | undefined> {
  const row = await queries.get<{ location_id: string }>(
    `SELECT location_id FROM terminals WHERE account_id = ? AND simulated_by = ? AND deleted = 0 ORDER BY seq LIMIT 1`,
    accountId,
    FLEET,
  );
  return row?.location_id;
}

/** Adds a terminal to the fleet of its account. */
export async function addToFleet(tx: Transaction, id: string): Promise<void> {
  await tx.run(`UPDATE terminals SET simulated_by = ? WHERE id = ?`, FLEET, id);
}
