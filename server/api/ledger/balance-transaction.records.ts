import { toTimestamp } from '../../../protocol/clock.ts';
import { listWhere, type PageSource } from '../../platform/store/page-source.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import { BALANCE_TRANSACTION, type BalanceTransaction } from './balance.schema.ts';
import { CLEARS_BEFORE_MS } from './business-days.ts';
import { netAmountOf } from './double-entry.ts';
import type { BalanceTransactionType, EntryLine } from './ledger.ts';

export type BalanceTransactionRow = RowOf<typeof BALANCE_TRANSACTION>;

export const balanceTransactions = storedObjects({ table: 'balance_transactions' }, BALANCE_TRANSACTION);

/**
 * Returns a balance transaction as the API shows it at an instant. Its status depends on time alone, so nothing is
 * written when it changes.
 */
export function toBalanceTransaction(row: BalanceTransactionRow, nowMs: number): BalanceTransaction {
  const { status, sinceMs } = statusAt(row, nowMs);
  return balanceTransactions.show(row, {
    status,
    origin: {
      id: row.origin_id,
      amount: row.origin_amount_minor,
      ...(row.origin_account_id !== null && { accountId: row.origin_account_id }),
    },
    lastUpdatedTimestamp: toTimestamp(Math.max(row.updated_ms, sinceMs)),
  });
}

function statusAt(row: BalanceTransactionRow, nowMs: number) {
  const clearedMs = row.available_ms - CLEARS_BEFORE_MS;
  if (nowMs >= row.available_ms) return { status: 'Available', sinceMs: row.available_ms } as const;
  if (nowMs >= clearedMs) return { status: 'Cleared', sinceMs: clearedMs } as const;
  return { status: 'Pending', sinceMs: row.created_ms } as const;
}

export function balanceTransactionList(accountId: string, payoutId?: string): PageSource {
  const list = balanceTransactions.listOf(accountId);
  return payoutId === undefined ? list : listWhere(list, { where: 'payout_id = ?', parameters: [payoutId] });
}

/** Inserts the balance transactions of an entry. */
export function insertBalanceTransactions(
  tx: Transaction,
  entryId: string,
  lines: readonly (EntryLine & { id: string })[],
  nowMs: number,
): Promise<void> {
  // Every payment is here: a spread of the line would take five times as long as the rest.
  const transactions = lines.map((line) => ({
    id: line.id,
    accountId: line.accountId,
    entryId,
    type: line.type,
    amount: line.amountMinor,
    currency: line.currency,
    description: line.description,
    feeTotal: line.feeMinor,
    net: netAmountOf(line),
    originId: line.origin.id,
    originAmount: line.origin.amountMinor,
    originAccountId: line.origin.accountId,
    availableAt: line.availableMs,
    payoutId: line.payoutId,
  }));
  return balanceTransactions.insertAll(tx, transactions, nowMs);
}

/**
 * Assigns to a payout all available balance transactions of an account in a currency that are in no payout, and returns
 * their net total, minor units. Assigns none, and returns undefined, when that is less than the least amount.
 */
export async function addAllToPayout(
  tx: Transaction,
  { accountId, currency, payoutId }: { accountId: string; currency: string; payoutId: string },
  leastMinor: number,
  nowMs: number,
): Promise<number | undefined> {
  // By one statement: others may add transactions after it.
  const unpaid = 'account_id = ? AND currency = ? AND payout_id IS NULL AND available_ms <= ?';
  const { changes } = await tx.run(
    `UPDATE balance_transactions SET payout_id = ?, updated_ms = ?
     WHERE ${unpaid} AND (SELECT SUM(net_minor) FROM balance_transactions WHERE ${unpaid}) >= ?`,
    payoutId,
    nowMs,
    accountId,
    currency,
    nowMs,
    accountId,
    currency,
    nowMs,
    leastMinor,
  );
  if (changes === 0) return undefined;
  const row = await tx.get<{ net: number | null }>(
    `SELECT SUM(net_minor) AS net FROM balance_transactions WHERE payout_id = ? AND account_id = ?`,
    payoutId,
    accountId,
  );
  return row?.net ?? 0;
}

/**
 * Assigns to a payout the oldest available balance transactions up to the one from which on their running total never
 * falls below an amount again, or all of them, as for an amount that is their total; returns their net total, minor units.
 * So the payout contains the refunds and fees that its payments were reduced by, and leaves what none of it needs.
 */
export async function addAmountToPayout(
  tx: Transaction,
  { accountId, currency, payoutId }: { accountId: string; currency: string; payoutId: string },
  amountMinor: number,
  nowMs: number,
): Promise<number> {
  const taken = await tx.all<{ net_minor: number }>(
    `UPDATE balance_transactions SET payout_id = ?, updated_ms = ? WHERE seq IN (
       SELECT seq FROM (
         SELECT seq, total, LAG(lowest) OVER (ORDER BY available_ms, seq) AS lowest_before
         FROM (
           SELECT seq, available_ms, total, MIN(running) OVER (
             ORDER BY available_ms, seq ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS lowest
           FROM (
             SELECT seq, available_ms, SUM(net_minor) OVER (ORDER BY available_ms, seq) AS running,
               SUM(net_minor) OVER () AS total
             FROM balance_transactions
             WHERE account_id = ? AND currency = ? AND payout_id IS NULL AND available_ms <= ?) unpaid) totals) ranked
       WHERE lowest_before IS NULL OR lowest_before < ? OR total = ?)
     RETURNING net_minor`,
    payoutId,
    nowMs,
    accountId,
    currency,
    nowMs,
    amountMinor,
    amountMinor,
  );
  return taken.reduce((sum, { net_minor: netMinor }) => sum + netMinor, 0);
}

/** Total of the balance transactions of one type and direction in a payout. */
export interface PayoutTotal {
  type: BalanceTransactionType;
  direction: 'in' | 'out';
  count: number;
  /** Minor units, negative for `out`. */
  amountMinor: number;
  feeMinor: number;
}

/** Returns the totals of a payout by type and direction, for its calculation (Spec §2.6). */
export async function totalsOfPayout(queries: Queries, payoutId: string): Promise<PayoutTotal[]> {
  return queries.all<PayoutTotal & Row>(
    `SELECT type, CASE WHEN amount_minor < 0 THEN 'out' ELSE 'in' END AS direction, COUNT(*) AS count,
       SUM(amount_minor) AS "amountMinor", SUM(fee_minor) AS "feeMinor"
     FROM balance_transactions WHERE payout_id = ?
     GROUP BY type, CASE WHEN amount_minor < 0 THEN 'out' ELSE 'in' END ORDER BY type, direction`,
    payoutId,
  );
}
