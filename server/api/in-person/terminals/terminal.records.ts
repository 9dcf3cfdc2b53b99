import { storedObjects } from '../../../platform/store/stored-objects.ts';
import type { RowOf } from '../../../platform/store/stored-property.ts';
import type { Queries, Transaction, TransactionOptions } from '../../../platform/store/store.ts';
import { toAction, type ActionRow, actions } from '../actions/action.records.ts';
import { isSimulated, toApiDeviceType } from './terminal.rules.ts';
import { TERMINAL, type Terminal } from './terminal.schema.ts';

export type TerminalRow = RowOf<typeof TERMINAL>;

export const terminals = storedObjects(
  { table: 'terminals', deletable: { erased: { online: 0 } } },
  TERMINAL,
);

/** Options of a transaction that changes a terminal or its pairing. It locks location and terminal before it reads them. */
export const TERMINAL_GUARDS = { guardedBy: ['terminalRegistration'] } as const satisfies TransactionOptions;

/** What a start of the server shows of a terminal. */
export interface TerminalSummary {
  id: string;
  serialNumber: string;
  accountId: string;
  locationId: string;
}

/** Returns a terminal as the API shows it, with its latest action. */
export function toTerminal(row: TerminalRow, action: ActionRow | undefined): Terminal {
  return terminals.show(row, {
    location: { id: row.location_id },
    device: { type: toApiDeviceType(row.device_type), serialNumber: row.serial_number },
    action: action ? toAction(action) : null,
  });
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

/** Returns a terminal with its latest action, as the API shows it. */
export async function readTerminal(queries: Queries, row: TerminalRow): Promise<Terminal> {
  return toTerminal(row, row.last_action_id ? await actions.findAny(queries, row.last_action_id) : undefined);
}
