import { toTimestamp } from '../../../protocol/clock.ts';
import type { Ids } from '../../../protocol/ids.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Balance } from './balance.schema.ts';
import { CLEARS_BEFORE_MS } from './business-days.ts';

/** What an account has in one currency, minor units; each may be negative after refunds and chargebacks. */
interface BalanceSums {
  currency: string;
  pendingMinor: number;
  clearedMinor: number;
  availableMinor: number;
  updatedMs: number;
}

/** A change of what an account has, from `availableMs` on; 0 for what is available at once. */
export interface BalanceChange {
  accountId: string;
  currency: string;
  availableMs: number;
  amountMinor: number;
  /** How many balance transactions it comes from. */
  transactions: number;
}

interface BalanceRow extends Row {
  account_id: string;
  currency: string;
  available_ms: number;
  transactions: number;
}

// Payments that commit at once would each wait for the last one's row, be undone and run again: PostgreSQL runs
// as many as it has connections, so there are twice as many stripes. SQLite runs one transaction at a time.
const STRIPES = { sqlite: 1, postgres: 32 };
const nextStripes = new WeakMap<Ids, number>();

/** Returns the stripe for the changes of an entry, in rotation, so that concurrent entries update different rows. */
export function nextStripe({ ids, store }: Pick<Services, 'ids' | 'store'>): number {
  const turn = nextStripes.get(ids) ?? 0;
  nextStripes.set(ids, (turn + 1) % STRIPES[store.engine]);
  return turn;
}

/**
 * Returns the balances of an account at an instant, in all its currencies or in those given. Reads a few rows for
 * each, whatever the number of its transactions.
 */
export function balancesOf(
  queries: Queries,
  accountId: string,
  nowMs: number,
  currencies: readonly string[] = [],
): Promise<BalanceSums[]> {
  const named = currencies.length === 0 ? '' : `AND currency IN (${currencies.map(() => '?').join(', ')})`;
  return queries.all<BalanceSums & Row>(
    `SELECT currency,
       SUM(CASE WHEN available_ms > ? THEN amount_minor ELSE 0 END) AS "pendingMinor",
       SUM(CASE WHEN available_ms > ? AND available_ms <= ? THEN amount_minor ELSE 0 END) AS "clearedMinor",
       SUM(CASE WHEN available_ms <= ? THEN amount_minor ELSE 0 END) AS "availableMinor",
       MAX(updated_ms) AS "updatedMs"
     FROM balances WHERE account_id = ? ${named} GROUP BY currency HAVING SUM(transactions) > 0 ORDER BY currency`,
    nowMs + CLEARS_BEFORE_MS,
    nowMs,
    nowMs + CLEARS_BEFORE_MS,
    nowMs,
    accountId,
    ...currencies,
  );
}

async function balanceOf(queries: Queries, accountId: string, currency: string, nowMs: number) {
  const [balance] = await balancesOf(queries, accountId, nowMs, [currency]);
  return balance ?? { pendingMinor: 0, clearedMinor: 0, availableMinor: 0, updatedMs: 0 };
}

/**
 * Returns the instant at which a balance and its balance transactions are looked at together: now, or when a server whose
 * clock is ahead last changed the balance. What is available in the balance by then is available in its transactions too.
 */
export async function latestInstantOf(
  queries: Queries,
  accountId: string,
  currency: string,
  nowMs: number,
): Promise<number> {
  const { updatedMs } = await balanceOf(queries, accountId, currency, nowMs);
  return Math.max(nowMs, updatedMs);
}

/**
 * Locks a balance until the transaction ends, before it is read to decide who pays a chargeback, or whether it suffices: nobody
 * else who decides so takes from it meanwhile. Unlike the row of the account, it can be locked after a payment session.
 */
export async function lockBalance(
  tx: Transaction,
  { store }: Pick<Services, 'store'>,
  accountId: string,
  currency: string,
): Promise<void> {
  // SQLite runs one transaction at a time.
  if (store.engine === 'sqlite') return;
  await tx.run(
    `INSERT INTO balances (account_id, currency, stripe, available_ms, amount_minor, transactions, updated_ms)
     VALUES (?, ?, 0, 0, 0, 0, 0)
     ON CONFLICT (account_id, currency, stripe, available_ms) DO UPDATE SET updated_ms = balances.updated_ms`,
    accountId,
    currency,
  );
}

/**
 * Returns the available balance of an account, which the transaction has locked, at an instant, minor units; may be negative.
 */
export async function availableOf(
  tx: Transaction,
  accountId: string,
  currency: string,
  nowMs: number,
): Promise<number> {
  tx.requireRowLock('accounts', accountId);
  return (await balanceOf(tx, accountId, currency, nowMs)).availableMinor;
}

/** Returns the total balance of an account at an instant, pending amounts included, minor units. */
export async function totalOf(
  queries: Queries,
  accountId: string,
  currency: string,
  nowMs: number,
): Promise<number> {
  const { pendingMinor, clearedMinor, availableMinor } = await balanceOf(queries, accountId, currency, nowMs);
  return pendingMinor + clearedMinor + availableMinor;
}

/** Adds changes to balances, in one statement except for the first change of a day. Each must be of another row. */
export async function addToBalances(
  tx: Transaction,
  changes: readonly BalanceChange[],
  stripe: number,
  nowMs: number,
): Promise<void> {
  const rows = await tx.all<BalanceRow>(
    `INSERT INTO balances (account_id, currency, stripe, available_ms, amount_minor, transactions, updated_ms)
     VALUES ${changes.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}
     ON CONFLICT (account_id, currency, stripe, available_ms) DO UPDATE SET
       amount_minor = balances.amount_minor + excluded.amount_minor,
       transactions = balances.transactions + excluded.transactions,
       updated_ms = CASE WHEN excluded.updated_ms > balances.updated_ms THEN excluded.updated_ms ELSE balances.updated_ms END
     RETURNING account_id, currency, available_ms, transactions`,
    ...changes.flatMap(({ accountId, currency, availableMs, amountMinor, transactions }) => [
      accountId,
      currency,
      stripe,
      availableMs,
      amountMinor,
      transactions,
      nowMs,
    ]),
  );
  for (const row of rows) {
    const before = changes.find((change) => sameRow(change, row))!;
    if (row.available_ms > 0 && row.transactions === before.transactions)
      await foldPastDays(tx, row, stripe, nowMs);
  }
}

function sameRow(change: BalanceChange, row: BalanceRow): boolean {
  const { accountId, currency, availableMs } = change;
  return accountId === row.account_id && currency === row.currency && availableMs === row.available_ms;
}

/** Merges past days into the available balance when a new day begins, so that there are few rows. */
async function foldPastDays(tx: Transaction, row: BalanceRow, stripe: number, nowMs: number): Promise<void> {
  const past = await tx.all<{ amount_minor: number; transactions: number }>(
    `DELETE FROM balances WHERE account_id = ? AND currency = ? AND stripe = ?
       AND available_ms > 0 AND available_ms <= ? RETURNING amount_minor, transactions`,
    row.account_id,
    row.currency,
    stripe,
    nowMs,
  );
  if (past.length === 0) return;
  const sum = (of: 'amount_minor' | 'transactions') => past.reduce((total, day) => total + day[of], 0);
  await addToBalances(
    tx,
    [
      {
        accountId: row.account_id,
        currency: row.currency,
        availableMs: 0,
        amountMinor: sum('amount_minor'),
        transactions: sum('transactions'),
      },
    ],
    stripe,
    nowMs,
  );
}

/** Returns a balance as the API shows it; amounts are 0 for a currency that the account has never had. */
export function toBalance(
  currency: string,
  sums: BalanceSums | undefined,
  accountCreatedMs: number,
): Balance {
  return {
    currency,
    pending: { amount: sums?.pendingMinor ?? 0 },
    cleared: { amount: sums?.clearedMinor ?? 0 },
    available: { amount: sums?.availableMinor ?? 0 },
    lastUpdatedTimestamp: toTimestamp(sums?.updatedMs ?? accountCreatedMs),
  };
}
