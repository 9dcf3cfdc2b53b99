import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { dayOf } from '../ledger/business-days.ts';
import { createdInOrder } from '../../platform/http/time-window.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, SqlValue, Transaction } from '../../platform/store/store.ts';
import type { Calculation } from './payout-calculation.ts';
import type { Payout } from './payout.schema.ts';

export interface PayoutRow extends Row {
  id: string;
  account_id: string;
  status: Payout['status'];
  amount_minor: number;
  currency: string;
  schedule_type: Payout['scheduleType'];
  method_id: string;
  /** JSON of the bank account as it was. */
  method: JsonText<PayoutBankAccount>;
  failure_reason: NonNullable<Payout['failureReason']> | null;
  calculation: JsonText<Calculation>;
  scheme: Payout['scheme'];
  /** Days on which its payments were taken, yyyy-MM-dd. */
  taken_from: string | null;
  taken_to: string | null;
  metadata: JsonText<Record<string, string>> | null;
  created_ms: number;
  scheduled_ms: number;
  completed_ms: number | null;
  updated_ms: number;
}

interface NewPayout {
  id: string;
  accountId: string;
  amountMinor: number;
  currency: string;
  scheduleType: Payout['scheduleType'];
  methodId: string;
  bankAccount: Payout['payoutMethod']['bankAccount'];
  calculation: Calculation;
  scheme: Payout['scheme'];
  taken: { from: string; to: string } | undefined;
  metadata?: Record<string, string> | undefined;
  scheduledMs: number;
}

type PayoutBankAccount = Omit<Payout['payoutMethod']['bankAccount'], 'bankIdType'>;

/** Returns a payout as the API shows it. */
export function toPayout(row: PayoutRow): Payout {
  return {
    id: row.id,
    ...takenDates(row),
    amount: row.amount_minor,
    currency: row.currency,
    status: row.status,
    scheduleType: row.schedule_type,
    payoutMethod: {
      id: row.method_id,
      bankAccount: { bankIdType: null, ...parseJson(row.method) },
    },
    ...(row.failure_reason !== null && { failureReason: row.failure_reason }),
    payoutCalculation: parseJson(row.calculation),
    scheme: row.scheme,
    ...(row.metadata !== null && { metadata: parseJson(row.metadata) }),
    createdTimestamp: toTimestamp(row.created_ms),
    scheduledTimestamp: toTimestamp(row.scheduled_ms),
    ...(row.completed_ms !== null && { completedTimestamp: toTimestamp(row.completed_ms) }),
  };
}

type TakenDates = Pick<Payout, 'paymentsTakenDate' | 'paymentsTakenDateFrom' | 'paymentsTakenDateTo'>;

// Deprecated: one day, where it is one, and the first and the last (Spec §9). Client libraries declare the last two
// as required, so a payout without payments shows its creation date (docs/choices.md, Required properties).
function takenDates({ taken_from: from, taken_to: to, created_ms: createdMs }: PayoutRow): TakenDates {
  if (from === null || to === null) {
    const day = dayOf(createdMs);
    return { paymentsTakenDateFrom: day, paymentsTakenDateTo: day };
  }
  return {
    ...(from === to && { paymentsTakenDate: from }),
    paymentsTakenDateFrom: from,
    paymentsTakenDateTo: to,
  };
}

interface PayoutWindow {
  startTimestamp?: number;
  endTimestamp?: number;
  /** Days on which payments were taken, both inclusive. */
  startDate?: string;
  endDate?: string;
}

/** @throws Refusal `window_backwards` or `payout_dates_backwards`. */
export function payoutList(accountId: string, window: PayoutWindow): PageSource {
  const { startDate, endDate } = window;
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    throw new Refusal('payout_dates_backwards');
  }
  const owned = { where: 'account_id = ?', parameters: [accountId] };
  const created = createdInOrder('payouts', owned, window);
  const conditions = [created.where];
  const parameters: SqlValue[] = [...created.parameters];
  if (startDate !== undefined) {
    conditions.push('taken_to >= ?');
    parameters.push(startDate);
  }
  if (endDate !== undefined) {
    conditions.push('taken_from <= ?');
    parameters.push(endDate);
  }
  return {
    table: 'payouts',
    owned,
    shown: { where: conditions.join(' AND '), parameters },
  };
}

export function findPayout(queries: Queries, accountId: string, id: string): Promise<PayoutRow | undefined> {
  return queries.get<PayoutRow>(`SELECT * FROM payouts WHERE id = ? AND account_id = ?`, id, accountId);
}

/** By id alone: for jobs. */
export function findAnyPayout(queries: Queries, id: string): Promise<PayoutRow | undefined> {
  return queries.get<PayoutRow>(`SELECT * FROM payouts WHERE id = ?`, id);
}

/** Returns a payout of an account in scope; see `accountScopeOf`. */
export function findPayoutInScope(
  queries: Queries,
  scope: { where: string; parameters: SqlValue[] },
  id: string,
): Promise<PayoutRow | undefined> {
  return queries.get<PayoutRow>(
    `SELECT * FROM payouts WHERE id = ? AND ${scope.where}`,
    id,
    ...scope.parameters,
  );
}

export async function insertPayout(tx: Transaction, payout: NewPayout, nowMs: number): Promise<PayoutRow> {
  const row = await tx.get<PayoutRow>(
    `INSERT INTO payouts (id, account_id, status, amount_minor, currency, schedule_type, method_id, method,
       calculation, scheme, taken_from, taken_to, metadata, created_ms, scheduled_ms, updated_ms)
     VALUES (?, ?, 'InProgress', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    payout.id,
    payout.accountId,
    payout.amountMinor,
    payout.currency,
    payout.scheduleType,
    payout.methodId,
    JSON.stringify(payout.bankAccount),
    JSON.stringify(payout.calculation),
    payout.scheme,
    payout.taken?.from ?? null,
    payout.taken?.to ?? null,
    payout.metadata ? JSON.stringify(payout.metadata) : null,
    nowMs,
    payout.scheduledMs,
    nowMs,
  );
  return row!;
}

/** Saves the status of a payout; returns undefined when its status is no longer that of `before`. */
export function savePayoutStatus(
  tx: Transaction,
  before: PayoutRow,
  after: Pick<PayoutRow, 'status' | 'failure_reason' | 'completed_ms'>,
  nowMs: number,
): Promise<PayoutRow | undefined> {
  return tx.get<PayoutRow>(
    `UPDATE payouts SET status = ?, failure_reason = ?, completed_ms = ?, updated_ms = ?
     WHERE id = ? AND status = ? RETURNING *`,
    after.status,
    after.failure_reason,
    after.completed_ms,
    nowMs,
    before.id,
    before.status,
  );
}

/** Returns when the first and the last payment in a payout were taken, epoch ms; undefined when it has none. */
export async function paymentPeriodOf(
  queries: Queries,
  payoutId: string,
): Promise<{ fromMs: number; toMs: number } | undefined> {
  const row = await queries.get<{ from_ms: number | null; to_ms: number | null }>(
    `SELECT MIN(created_ms) AS from_ms, MAX(created_ms) AS to_ms FROM balance_transactions
     WHERE payout_id = ? AND amount_minor > 0 AND type IN ('TransactionCapture', 'SplitPayment')`,
    payoutId,
  );
  if (row?.from_ms == null || row.to_ms === null) return undefined;
  return { fromMs: row.from_ms, toMs: row.to_ms };
}

/** Counts the customers whose payments are in a payout, and those of them created at `sinceMs` or later. */
export async function countCustomersOfPayout(
  queries: Queries,
  payoutId: string,
  sinceMs: number,
): Promise<{ all: number; newCustomers: number }> {
  const row = await queries.get<{ customers: number; newCustomers: number | null }>(
    `SELECT COUNT(*) AS customers, SUM(CASE WHEN customers.created_ms >= ? THEN 1 ELSE 0 END) AS "newCustomers"
     FROM customers WHERE id IN (
       SELECT session.customer_id FROM balance_transactions moved
       JOIN payment_transactions captured ON captured.id = moved.origin_id
       JOIN payment_sessions session ON session.id = captured.session_id
       WHERE moved.payout_id = ? AND moved.type = 'TransactionCapture')`,
    sinceMs,
    payoutId,
  );
  return { all: row?.customers ?? 0, newCustomers: row?.newCustomers ?? 0 };
}
