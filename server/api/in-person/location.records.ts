import { toTimestamp } from '../../../protocol/clock.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { PageSource } from '../../platform/http/paging.ts';
import type { Location } from './location.schema.ts';

export interface LocationRow extends Row {
  id: string;
  account_id: string;
  name: string;
  address: JsonText<Location['address']>;
  geo_coordinates: JsonText<Location['geoCoordinates']> | null;
  metadata: JsonText<Location['metadata']>;
  created_ms: number;
  updated_ms: number;
}

interface NewLocation {
  id: string;
  accountId: string;
  name: string;
  address: object;
  geoCoordinates?: object;
  metadata?: Record<string, string>;
}

/** Returns a location as the API shows it. */
export function toLocation(row: LocationRow): Location {
  const address = parseJson(row.address);
  return {
    id: row.id,
    name: row.name,
    address: { ...address, lineTwo: address.lineTwo ?? null, region: address.region ?? null },
    geoCoordinates: row.geo_coordinates === null ? null : parseJson(row.geo_coordinates),
    metadata: parseJson(row.metadata),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

export const LOCATION_LIST = (accountId: string): PageSource => ({
  table: 'locations',
  owned: { where: 'account_id = ?', parameters: [accountId] },
  shown: { where: 'deleted = 0', parameters: [] },
});

export function findLocation(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<LocationRow | undefined> {
  return queries.get<LocationRow>(
    `SELECT * FROM locations WHERE id = ? AND account_id = ? AND deleted = 0`,
    id,
    accountId,
  );
}

export async function insertLocation(
  tx: Transaction,
  location: NewLocation,
  nowMs: number,
): Promise<LocationRow> {
  const row = await tx.get<LocationRow>(
    `INSERT INTO locations (id, account_id, name, address, geo_coordinates, metadata, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    location.id,
    location.accountId,
    location.name,
    JSON.stringify(location.address),
    location.geoCoordinates ? JSON.stringify(location.geoCoordinates) : null,
    JSON.stringify(location.metadata ?? {}),
    nowMs,
    nowMs,
  );
  return row!;
}

/** Returns undefined when the location has been deleted meanwhile. */
export function updateLocation(
  tx: Transaction,
  id: string,
  change: { name?: string; metadata?: Record<string, string> },
  nowMs: number,
): Promise<LocationRow | undefined> {
  return tx.get<LocationRow>(
    `UPDATE locations SET name = COALESCE(?, name), metadata = COALESCE(?, metadata), updated_ms = ?
     WHERE id = ? AND deleted = 0 RETURNING *`,
    change.name ?? null,
    change.metadata ? JSON.stringify(change.metadata) : null,
    nowMs,
    id,
  );
}

/** Returns false when the location is deleted already. */
export async function deleteLocation(tx: Transaction, id: string, nowMs: number): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE locations SET deleted = 1, updated_ms = ? WHERE id = ? AND deleted = 0`,
    nowMs,
    id,
  );
  return changes === 1;
}

export async function hasTerminal(queries: Queries, locationId: string): Promise<boolean> {
  return (
    (await queries.get(
      `SELECT id FROM terminals WHERE location_id = ? AND deleted = 0 LIMIT 1`,
      locationId,
    )) !== undefined
  );
}
