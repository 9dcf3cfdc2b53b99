import { Refusal } from '../platform/http/refusals.ts';
import type { Queries, Row } from '../platform/store/store.ts';
import { parseSandboxRecord, type SandboxRecord } from './sandbox-record.schema.ts';

interface RecordRow extends Row {
  name: string;
  facts: string;
  keys: string;
  used_ms: number;
  opens: number;
  wake_ms: number | null;
}

/** The row of a record. One that another server has created by its name since has other keys. */
export const ITS_ROW = 'name = ? AND keys = ?';
export const itsRow = ({ name, keys }: SandboxRecord) => [name, JSON.stringify(keys)] as const;

export async function insertRecord(
  queries: Queries,
  record: SandboxRecord,
  terminals: unknown,
): Promise<void> {
  const { keys, wakeMs = null } = record;
  await queries.run(
    'INSERT INTO sandboxes (name, facts, keys, used_ms, opens, terminals, wake_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    record.name,
    factsOf(record),
    JSON.stringify(keys),
    record.usedMs,
    record.opens,
    terminals === undefined ? null : JSON.stringify(terminals),
    wakeMs,
  );
}

/** Returns the text of the column `facts`. What changes with the use of a sandbox has columns of its own. */
function factsOf(record: SandboxRecord): string {
  return JSON.stringify({ ...record, keys: undefined, wakeMs: undefined });
}

export async function updateFacts(queries: Queries, record: SandboxRecord): Promise<void> {
  const facts = factsOf(record);
  const { changes } = await queries.run(
    `UPDATE sandboxes SET facts = ? WHERE ${ITS_ROW}`,
    facts,
    ...itsRow(record),
  );
  if (changes === 0) throw new Refusal('not_found', { what: 'sandbox' });
}

export async function readRecords(queries: Queries): Promise<SandboxRecord[]> {
  const rows = await queries.all<RecordRow>(
    'SELECT name, facts, keys, used_ms, opens, wake_ms FROM sandboxes ORDER BY seq',
  );
  return rows.map((row) => ({
    ...parseSandboxRecord(row, `sandbox ${row.name} of DATABASE_URL`),
    usedMs: row.used_ms,
    opens: row.opens,
    ...(row.wake_ms !== null && { wakeMs: row.wake_ms }),
  }));
}

// Every creation takes a number that no other had, and a change of settings changes the facts.
export async function revisionOf(queries: Queries): Promise<string> {
  const row = await queries.get<{ revision: string | null }>(
    `SELECT md5(string_agg(seq || md5(facts), ',' ORDER BY seq)) AS revision FROM sandboxes`,
  );
  return row?.revision ?? '';
}

export async function countOf(queries: Queries): Promise<number> {
  return (await queries.get<{ count: number }>('SELECT count(*) AS count FROM sandboxes'))!.count;
}

export async function terminalsOf(queries: Queries, record: SandboxRecord): Promise<unknown> {
  const row = await queries.get<{ terminals: string | null }>(
    `SELECT terminals FROM sandboxes WHERE ${ITS_ROW}`,
    ...itsRow(record),
  );
  return row?.terminals ? JSON.parse(row.terminals) : undefined;
}

export async function countOpening(queries: Queries, record: SandboxRecord): Promise<SandboxRecord> {
  const { usedMs, wakeMs = null } = record;
  const row = await queries.get<{ opens: number }>(
    `UPDATE sandboxes SET opens = opens + 1, used_ms = GREATEST(used_ms, ?), wake_ms = ?
     WHERE ${ITS_ROW} RETURNING opens`,
    usedMs,
    wakeMs,
    ...itsRow(record),
  );
  // Another server has deleted it.
  if (!row) throw new Refusal('bad_key');
  return { ...record, opens: row.opens };
}

export async function updateUse(queries: Queries, record: SandboxRecord): Promise<void> {
  const { usedMs, wakeMs = null } = record;
  await queries.run(
    `UPDATE sandboxes SET used_ms = GREATEST(used_ms, ?), wake_ms = ? WHERE ${ITS_ROW}`,
    usedMs,
    wakeMs,
    ...itsRow(record),
  );
}
