import type { KeySchemeName } from '../../../protocol/cryptography/dukpt.ts';
import { accountScopeOf } from '../accounts/account.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { jsonText, parseJson, type JsonText } from '../../platform/store/json-text.ts';
import { readSetting, storeSetting } from '../../platform/store/setting.records.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';

/** Returns a terminal in the caller's scope; undefined when it is deleted or another's. */
export async function findPairableTerminal(
  queries: Queries,
  caller: Caller,
  id: string,
): Promise<{ id: string } | undefined> {
  const scope = accountScopeOf(caller);
  return queries.get<{ id: string }>(
    `SELECT id FROM terminals WHERE id = ? AND deleted = 0 AND ${scope.where}`,
    id,
    ...scope.parameters,
  );
}

/** Returns whether a terminal is connected, and whether it has an action in progress. */
export async function terminalActivity(
  queries: Queries,
  terminalId: string,
): Promise<{ online: boolean; busy: boolean }> {
  const row = await queries.get<{ online: number; busy: number }>(
    `SELECT online, (SELECT COUNT(*) FROM actions WHERE terminal_id = terminals.id AND status = 'InProgress') AS busy
     FROM terminals WHERE id = ? AND deleted = 0`,
    terminalId,
  );
  return { online: row?.online === 1, busy: Number(row?.busy ?? 0) > 0 };
}

interface GenerationRow extends Row {
  pairing_generation: number;
}

/**
 * Starts the next pairing generation of a terminal and returns it: passwords and keys of earlier ones stop working.
 * Returns undefined when the terminal was deleted.
 */
export async function incrementPairingGeneration(
  tx: Transaction,
  terminalId: string,
  keyScheme: KeySchemeName,
): Promise<number | undefined> {
  tx.requireRowLock('terminals', terminalId);
  const row = await tx.get<GenerationRow>(
    `UPDATE terminals SET pairing_generation = pairing_generation + 1, key_scheme = ?, key_counter = 0
     WHERE id = ? AND deleted = 0 RETURNING pairing_generation`,
    keyScheme,
    terminalId,
  );
  return row?.pairing_generation;
}

/** Saves the key counter of a terminal; returns false when `counter` is not above the saved one. */
export async function advanceKeyCounter(
  tx: Transaction,
  terminalId: string,
  counter: number,
): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE terminals SET key_counter = ? WHERE id = ? AND key_counter < ?`,
    counter,
    terminalId,
    counter,
  );
  return changes === 1;
}

/** Returns the current pairing generation of a terminal: 0 before its first pairing, undefined when deleted. */
export async function pairingGeneration(queries: Queries, terminalId: string): Promise<number | undefined> {
  const row = await queries.get<GenerationRow>(
    `SELECT pairing_generation FROM terminals WHERE id = ? AND deleted = 0`,
    terminalId,
  );
  return row?.pairing_generation;
}

/** Returns all terminals with their pairing generations, for the access list of an external broker. */
export async function listPairingGenerations(
  queries: Queries,
): Promise<{ id: string; generation: number }[]> {
  const rows = await queries.all<GenerationRow & { id: string }>(
    `SELECT id, pairing_generation FROM terminals WHERE deleted = 0 ORDER BY seq`,
  );
  return rows.map((row) => ({ id: row.id, generation: row.pairing_generation }));
}

const SIMULATORS = 'paired_simulators';

/** So many simulators are listed for an external broker: later ones take the place of those before. */
const SIMULATORS_MAX = 50;

/** Saves that a simulator was paired, by the UUID of its name, for `listPairedSimulators`. */
export async function savePairedSimulator(tx: Transaction, uuid: string): Promise<void> {
  tx.lock(SIMULATORS);
  const latest = [...(await listPairedSimulators(tx)), uuid].slice(-SIMULATORS_MAX);
  await storeSetting(tx, SIMULATORS, jsonText(latest));
}

/** Returns the UUIDs of the simulators that were paired last, for the access list of an external broker. */
export async function listPairedSimulators(queries: Queries): Promise<string[]> {
  const stored = await readSetting<JsonText<string[]>>(queries, SIMULATORS);
  return stored === undefined ? [] : parseJson(stored);
}
