import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/http/paging.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import { toAction, type ActionRow } from './action.records.ts';
import type { Terminal } from './terminal.schema.ts';
import { isSimulated, toApiDeviceType } from './terminal.rules.ts';

export interface TerminalRow extends Row {
  id: string;
  account_id: string;
  serial_number: string;
  name: string;
  device_type: string;
  location_id: string;
  metadata: JsonText<Terminal['metadata']>;
  last_action_id: string | null;
  pairing_generation: number;
  /** Scheme of the card data keys of its latest pairing; null for a pairing by an older version, without keys. */
  key_scheme: 'AES' | 'TDES' | null;
  simulated_by: string | null;
  online: number;
  created_ms: number;
  updated_ms: number;
}

interface NewTerminal {
  id: string;
  accountId: string;
  serialNumber: string;
  name: string;
  deviceType: string;
  locationId: string;
  metadata?: Record<string, string>;
  /** The simulator that runs it; null for a real terminal, and for `tapbench up`, which runs serial numbers with SIM. */
  simulatedBy: string | null;
}

/** What a start of the server shows of a terminal. */
export interface TerminalSummary {
  id: string;
  serialNumber: string;
  accountId: string;
  locationId: string;
}

/** Returns a terminal as the API shows it, with its latest action. */
export function toTerminal(row: TerminalRow, action: ActionRow | undefined): Terminal {
  return {
    id: row.id,
    name: row.name,
    location: { id: row.location_id },
    device: { type: toApiDeviceType(row.device_type), serialNumber: row.serial_number },
    action: action ? toAction(action) : null,
    metadata: parseJson(row.metadata),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

export const TERMINAL_LIST = (accountId: string): PageSource => ({
  table: 'terminals',
  owned: { where: 'account_id = ?', parameters: [accountId] },
  shown: { where: 'deleted = 0', parameters: [] },
});

export function findTerminal(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<TerminalRow | undefined> {
  return queries.get<TerminalRow>(
    `SELECT * FROM terminals WHERE id = ? AND account_id = ? AND deleted = 0`,
    id,
    accountId,
  );
}

/** Finds a terminal by its id only: for MQTT reports, whose credentials are the terminal's. */
export function findAnyTerminal(queries: Queries, id: string): Promise<TerminalRow | undefined> {
  return queries.get<TerminalRow>(`SELECT * FROM terminals WHERE id = ? AND deleted = 0`, id);
}

/** Returns terminals whose serial number begins with SIM and that no other simulator runs. */
export async function listSimulated(queries: Queries): Promise<TerminalSummary[]> {
  const rows = await queries.all<TerminalRow>(
    `SELECT * FROM terminals WHERE simulated_by IS NULL AND deleted = 0 ORDER BY seq`,
  );
  return rows
    .filter((row) => isSimulated(row.serial_number))
    .map((row) => ({
      id: row.id,
      serialNumber: row.serial_number,
      accountId: row.account_id,
      locationId: row.location_id,
    }));
}

export async function listTerminalIds(queries: Queries): Promise<string[]> {
  const rows = await queries.all<{ id: string }>(`SELECT id FROM terminals WHERE deleted = 0`);
  return rows.map(({ id }) => id);
}

/** Returns whether a terminal was ever registered, on any account. */
export async function wasTerminalRegistered(queries: Queries): Promise<boolean> {
  return (await queries.get(`SELECT 1 FROM terminals LIMIT 1`)) !== undefined;
}

/** @throws UniqueViolation when a live terminal has this serial number. */
export async function insertTerminal(
  tx: Transaction,
  terminal: NewTerminal,
  nowMs: number,
): Promise<TerminalRow> {
  const row = await tx.get<TerminalRow>(
    `INSERT INTO terminals
       (id, account_id, serial_number, name, device_type, location_id, metadata, simulated_by, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    terminal.id,
    terminal.accountId,
    terminal.serialNumber,
    terminal.name,
    terminal.deviceType,
    terminal.locationId,
    JSON.stringify(terminal.metadata ?? {}),
    terminal.simulatedBy,
    nowMs,
    nowMs,
  );
  return row!;
}

/** Returns undefined when the terminal has been deleted meanwhile. */
export function updateTerminal(
  tx: Transaction,
  id: string,
  change: { name?: string; locationId?: string; metadata?: Record<string, string> },
  nowMs: number,
): Promise<TerminalRow | undefined> {
  return tx.get<TerminalRow>(
    `UPDATE terminals SET name = COALESCE(?, name), location_id = COALESCE(?, location_id),
       metadata = COALESCE(?, metadata), updated_ms = ? WHERE id = ? AND deleted = 0 RETURNING *`,
    change.name ?? null,
    change.locationId ?? null,
    change.metadata ? JSON.stringify(change.metadata) : null,
    nowMs,
    id,
  );
}

/** Returns false when the terminal is deleted already. */
export async function deleteTerminal(tx: Transaction, id: string, nowMs: number): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE terminals SET deleted = 1, online = 0, updated_ms = ? WHERE id = ? AND deleted = 0`,
    nowMs,
    id,
  );
  return changes === 1;
}

/**
 * Makes an action the latest one of a terminal. Returns undefined, and changes nothing, when the terminal has an action
 * in progress or was deleted since it was found.
 */
export function reserveTerminal(
  tx: Transaction,
  id: string,
  actionId: string,
  nowMs: number,
): Promise<TerminalRow | undefined> {
  return tx.get<TerminalRow>(
    `UPDATE terminals SET last_action_id = ?, updated_ms = ? WHERE id = ? AND deleted = 0
       AND NOT EXISTS (SELECT 1 FROM actions WHERE terminal_id = terminals.id AND status = 'InProgress') RETURNING *`,
    actionId,
    nowMs,
    id,
  );
}

export async function touchTerminal(tx: Transaction, id: string, nowMs: number): Promise<TerminalRow> {
  const row = await tx.get<TerminalRow>(
    `UPDATE terminals SET updated_ms = ? WHERE id = ? RETURNING *`,
    nowMs,
    id,
  );
  return row!;
}

/** Saves whether a terminal is online, and its device type. Returns false when the terminal is deleted. */
export async function savePresence(
  tx: Transaction,
  id: string,
  presence: { online: boolean; deviceType?: string },
): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE terminals SET online = ?, device_type = COALESCE(?, device_type) WHERE id = ? AND deleted = 0`,
    presence.online ? 1 : 0,
    presence.deviceType ?? null,
    id,
  );
  return changes === 1;
}

/** Sets all terminals offline when the broker starts; connected terminals report their presence again. */
export async function setAllOffline(tx: Transaction): Promise<void> {
  await tx.run(`UPDATE terminals SET online = 0 WHERE online = 1`);
}
