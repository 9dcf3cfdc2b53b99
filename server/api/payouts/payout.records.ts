import { Refusal } from '../../platform/http/refusals.ts';
import { listCreatedWithin } from '../../platform/http/time-window.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import { listWhere, type PageSource } from '../../platform/store/page-source.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { dayOf } from '../ledger/business-days.ts';
import { PAYOUT, type Payout } from './payout.schema.ts';

export type PayoutRow = RowOf<typeof PAYOUT>;

export const payouts = storedObjects({ table: 'payouts', compared: ['status'] }, PAYOUT);

/** Locks the account of a payout, and returns the payout as it is then; undefined when there is none. */
export async function lockPayout(tx: Transaction, id: string): Promise<PayoutRow | undefined> {
  const found = await payouts.findAny(tx, id);
  if (!found) return undefined;
  tx.lockRow('accounts', found.account_id);
  return payouts.findAny(tx, id);
}

/** Returns a payout as the API shows it. */
export function toPayout(row: PayoutRow): Payout {
  return payouts.show(row, {
    ...takenDates(row),
    payoutMethod: { id: row.method_id, bankAccount: { bankIdType: null, ...parseJson(row.method) } },
  });
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
  let list = listCreatedWithin(payouts.listOf(accountId), window);
  if (startDate !== undefined) list = listWhere(list, { where: 'taken_to >= ?', parameters: [startDate] });
  if (endDate !== undefined) list = listWhere(list, { where: 'taken_from <= ?', parameters: [endDate] });
  return list;
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
