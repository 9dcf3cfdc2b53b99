import type { KeySchemeName } from '../../../protocol/cryptography/dukpt.ts';
import { accountScopeOf } from '../accounts/account-scope.ts';
import type { Caller } from '../../platform/http/auth.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';

/** A live terminal that the caller controls, by id. */
export async function findPairable(
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

/** Whether a terminal is connected, and whether an action of it is in progress. */
export async function terminalUse(
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
 * Makes every earlier password and key of the terminal void, and notes which kind of keys it gets now. Undefined
 * when it was deleted meanwhile.
 */
export async function nextGeneration(
  tx: Transaction,
  terminalId: string,
  keyScheme: KeySchemeName,
): Promise<number | undefined> {
  const row = await tx.get<GenerationRow>(
    `UPDATE terminals SET pairing_generation = pairing_generation + 1, key_scheme = ?, key_counter = 0
     WHERE id = ? AND deleted = 0 RETURNING pairing_generation`,
    keyScheme,
    terminalId,
  );
  return row?.pairing_generation;
}

/** Notes that the keys of a terminal are used as far as `counter`. False when they are already. */
export async function useKeys(tx: Transaction, terminalId: string, counter: number): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE terminals SET key_counter = ? WHERE id = ? AND key_counter < ?`,
    counter,
    terminalId,
    counter,
  );
  return changes === 1;
}

/** The generation whose password lets a terminal in: 0 before it is paired, undefined for one that is not live. */
export async function pairingGeneration(queries: Queries, terminalId: string): Promise<number | undefined> {
  const row = await queries.get<GenerationRow>(
    `SELECT pairing_generation FROM terminals WHERE id = ? AND deleted = 0`,
    terminalId,
  );
  return row?.pairing_generation;
}

/** Every live terminal, whosever it is, with its generation: for an external broker that has to be told. */
export async function listGenerations(queries: Queries): Promise<{ id: string; generation: number }[]> {
  const rows = await queries.all<GenerationRow & { id: string }>(
    `SELECT id, pairing_generation FROM terminals WHERE deleted = 0 ORDER BY seq`,
  );
  return rows.map((row) => ({ id: row.id, generation: row.pairing_generation }));
}
