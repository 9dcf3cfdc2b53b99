import { parseJson, jsonText, type JsonText } from '../store/json-text.ts';
import type { Queries, Row, Transaction } from '../store/store.ts';
import type { PlannedFault } from './fault-plan.schema.ts';
import type { Count } from './fault-rule.ts';

/** A stored plan (server/platform/store/migrations/0028-fault-plans.ts, 0029-fault-counts.ts). */
export interface FaultPlanRow extends Row {
  id: string;
  created_ms: number;
  title: string;
  seed: string;
  faults: JsonText<PlannedFault[]>;
  /** How often what each fault asks for was seen; empty before that was first stored. */
  seen: JsonText<number[]>;
}

export interface FaultStrikeRow extends Row {
  plan_id: string;
  fault: number;
  occurrence: number;
  at_ms: number;
  what: string;
  subject: string;
  ids: JsonText<readonly string[]>;
}

/** A strike with its number, which counts those of the sandbox. */
export interface StoredStrike extends FaultStrikeRow {
  seq: number;
}

export interface NewFaultPlan {
  title: string;
  seed: string;
  faults: PlannedFault[];
}

// Not random: an id of the sandbox's own would change those that come after it.
const ID_PREFIX = 'plan_';

/** Returns the number in the id of a plan; 0, which none has, for any other text. */
const seqOf = (id: string): number => {
  const seq = Number(id.slice(ID_PREFIX.length));
  return Number.isSafeInteger(seq) ? seq : 0;
};

/** Stores a plan and returns its id. */
export async function insertFaultPlan(
  tx: Transaction,
  { title, seed, faults }: NewFaultPlan,
  nowMs: number,
): Promise<string> {
  const row = await tx.get<{ seq: number }>(
    'INSERT INTO fault_plans (created_ms, title, seed, faults) VALUES (?, ?, ?, ?) RETURNING seq',
    nowMs,
    title,
    seed,
    jsonText(faults),
  );
  return ID_PREFIX + row!.seq;
}

const SELECT = `SELECT '${ID_PREFIX}' || seq AS id, created_ms, title, seed, faults, seen FROM fault_plans`;

export function allFaultPlans(queries: Queries): Promise<FaultPlanRow[]> {
  return queries.all<FaultPlanRow>(`${SELECT} ORDER BY seq`);
}

export async function countFaultPlans(queries: Queries): Promise<number> {
  const row = await queries.get<{ plans: number }>('SELECT COUNT(*) AS plans FROM fault_plans');
  return row!.plans;
}

export async function findFaultPlan(queries: Queries, id: string): Promise<FaultPlanRow | undefined> {
  const row = await queries.get<FaultPlanRow>(`${SELECT} WHERE seq = ?`, seqOf(id));
  return row?.id === id ? row : undefined;
}

export async function deleteFaultPlan(tx: Transaction, id: string): Promise<void> {
  await tx.run('DELETE FROM fault_plans WHERE seq = ?', seqOf(id));
  await tx.run('DELETE FROM fault_strikes WHERE plan_id = ?', id);
}

export async function insertFaultStrike(tx: Transaction, strike: FaultStrikeRow): Promise<void> {
  const { plan_id, fault, occurrence, at_ms, what, subject, ids } = strike;
  await tx.run(
    'INSERT INTO fault_strikes (plan_id, fault, occurrence, at_ms, what, subject, ids) VALUES (?, ?, ?, ?, ?, ?, ?)',
    plan_id,
    fault,
    occurrence,
    at_ms,
    what,
    subject,
    ids,
  );
}

/** Returns the latest strikes of a plan, oldest first. */
export async function latestStrikes(
  queries: Queries,
  planId: string,
  limit: number,
): Promise<StoredStrike[]> {
  const rows = await queries.all<StoredStrike>(
    'SELECT * FROM fault_strikes WHERE plan_id = ? ORDER BY seq DESC LIMIT ?',
    planId,
    limit,
  );
  return rows.reverse();
}

/** Returns the first strikes after one, of all plans or of one, oldest first. */
export function strikesAfter(
  queries: Queries,
  { after, limit, planId }: { after: number; limit: number; planId?: string | undefined },
): Promise<StoredStrike[]> {
  const ofPlan = planId === undefined ? '' : 'plan_id = ? AND';
  return queries.all<StoredStrike>(
    `SELECT * FROM fault_strikes WHERE ${ofPlan} seq > ? ORDER BY seq LIMIT ?`,
    ...(planId === undefined ? [] : [planId]),
    after,
    limit,
  );
}

/** Stores how often what each fault of a plan asks for was seen. */
export async function saveSeen(tx: Transaction, planId: string, seen: number[]): Promise<void> {
  await tx.run('UPDATE fault_plans SET seen = ? WHERE seq = ?', jsonText(seen), seqOf(planId));
}

/** Returns the counts of the faults of a plan as they were last stored, and at least those of its strikes. */
export async function countsOf(queries: Queries, { id, faults, seen }: FaultPlanRow): Promise<Count[]> {
  const stored = parseJson(seen);
  const rows = await queries.all<{ fault: number; seen: number; struck: number; since_ms: number }>(
    'SELECT fault, MAX(occurrence) AS seen, COUNT(*) AS struck, MIN(at_ms) AS since_ms FROM fault_strikes WHERE plan_id = ? GROUP BY fault',
    id,
  );
  return parseJson(faults).map((_, index) => {
    const row = rows.find(({ fault }) => fault === index);
    const seenMost = Math.max(stored[index] ?? 0, row?.seen ?? 0);
    return { seen: seenMost, struck: row?.struck ?? 0, sinceMs: row?.since_ms };
  });
}
