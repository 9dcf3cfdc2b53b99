import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { createdInOrder } from '../../platform/http/time-window.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, SqlValue, Transaction } from '../../platform/store/store.ts';
import type { Dispute, Evidence } from './dispute.schema.ts';
import { isEmpty, RECOMMENDED } from './evidence.rules.ts';

export interface DisputeRow extends Row {
  id: string;
  platform_id: string;
  account_id: string;
  session_id: string;
  /** The account that bears the chargeback. */
  bearer_id: string;
  status: Dispute['status'];
  amount_minor: number;
  currency: string;
  category: Dispute['category'];
  reason: JsonText<Dispute['reason']>;
  /** JSON of `paymentSession` and of `customer` as they were when the dispute was opened. */
  payment: JsonText<Dispute['paymentSession']>;
  customer: JsonText<NonNullable<Dispute['customer']>> | null;
  evidence: JsonText<Evidence>;
  respond_by_ms: number;
  created_ms: number;
  updated_ms: number;
}

interface NewDispute {
  id: string;
  platformId: string;
  accountId: string;
  sessionId: string;
  bearerId: string;
  amountMinor: number;
  currency: string;
  category: Dispute['category'];
  reason: Dispute['reason'];
  payment: Dispute['paymentSession'];
  customer: Dispute['customer'];
  respondByMs: number;
}

/** Returns a dispute as the API shows it. */
export function toDispute(row: DisputeRow): Dispute {
  const evidence = evidenceOf(row);
  return {
    id: row.id,
    amount: row.amount_minor,
    currency: row.currency,
    status: row.status,
    category: row.category,
    reason: parseJson(row.reason),
    respondBy: toTimestamp(row.respond_by_ms),
    recommendedEvidence: RECOMMENDED[row.category],
    paymentSession: parseJson(row.payment),
    ...(!isEmpty(evidence) && { evidence }),
    ...(row.customer !== null && { customer: parseJson(row.customer) }),
    ...(row.account_id !== row.platform_id && { subAccount: { id: row.account_id } }),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

export function evidenceOf(row: DisputeRow): Evidence {
  return parseJson(row.evidence);
}

/** The account whose disputes are read. A platform also sees those of its sub accounts, with their account id. */
interface Viewer {
  accountId: string;
  platformId: string;
}

function visibleTo({ accountId, platformId }: Viewer): { where: string; parameters: SqlValue[] } {
  return accountId === platformId
    ? { where: 'platform_id = ?', parameters: [platformId] }
    : { where: 'account_id = ?', parameters: [accountId] };
}

export const disputeList = (
  viewer: Viewer,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource => {
  const owned = visibleTo(viewer);
  return { table: 'disputes', owned, shown: createdInOrder('disputes', owned, window) };
};

export function findDispute(queries: Queries, viewer: Viewer, id: string): Promise<DisputeRow | undefined> {
  const seen = visibleTo(viewer);
  return queries.get<DisputeRow>(
    `SELECT * FROM disputes WHERE id = ? AND ${seen.where}`,
    id,
    ...seen.parameters,
  );
}

/** Finds a dispute by id alone: for jobs, and to read it again inside a transaction. */
export function findAnyDispute(queries: Queries, id: string): Promise<DisputeRow | undefined> {
  return queries.get<DisputeRow>(`SELECT * FROM disputes WHERE id = ?`, id);
}

/** Returns the disputes of a session whose money has not been returned, newest first. */
export function listActiveDisputes(queries: Queries, sessionId: string): Promise<DisputeRow[]> {
  return queries.all<DisputeRow>(
    `SELECT * FROM disputes WHERE session_id = ? AND status NOT IN ('Won', 'Cancelled') ORDER BY seq DESC`,
    sessionId,
  );
}

/** Returns the disputed amount of a session that has not been returned, minor units. */
export async function disputedMinorOf(queries: Queries, sessionId: string): Promise<number> {
  const active = await listActiveDisputes(queries, sessionId);
  return active.reduce((sum, { amount_minor: amountMinor }) => sum + amountMinor, 0);
}

export async function insertDispute(
  tx: Transaction,
  dispute: NewDispute,
  nowMs: number,
): Promise<DisputeRow> {
  const row = await tx.get<DisputeRow>(
    `INSERT INTO disputes (id, platform_id, account_id, session_id, bearer_id, status, amount_minor, currency,
       category, reason, payment, customer, evidence, respond_by_ms, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, 'Open', ?, ?, ?, ?, ?, ?, '{}', ?, ?, ?) RETURNING *`,
    dispute.id,
    dispute.platformId,
    dispute.accountId,
    dispute.sessionId,
    dispute.bearerId,
    dispute.amountMinor,
    dispute.currency,
    dispute.category,
    JSON.stringify(dispute.reason),
    JSON.stringify(dispute.payment),
    dispute.customer ? JSON.stringify(dispute.customer) : null,
    dispute.respondByMs,
    nowMs,
    nowMs,
  );
  return row!;
}

export async function saveEvidence(
  tx: Transaction,
  id: string,
  evidence: Evidence,
  nowMs: number,
): Promise<DisputeRow> {
  const row = await tx.get<DisputeRow>(
    `UPDATE disputes SET evidence = ?, updated_ms = ? WHERE id = ? RETURNING *`,
    JSON.stringify(evidence),
    nowMs,
    id,
  );
  return row!;
}

/** Saves the status of a dispute; returns undefined when its status is no longer that of `before`. */
export function saveDisputeStatus(
  tx: Transaction,
  before: DisputeRow,
  status: DisputeRow['status'],
  nowMs: number,
): Promise<DisputeRow | undefined> {
  return tx.get<DisputeRow>(
    `UPDATE disputes SET status = ?, updated_ms = ? WHERE id = ? AND status = ? RETURNING *`,
    status,
    nowMs,
    before.id,
    before.status,
  );
}
