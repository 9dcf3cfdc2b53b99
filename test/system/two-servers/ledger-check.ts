import pg from 'pg';
import { expect } from 'vitest';

/** Reads a database by statements of the test's own. */
export async function query<R extends object>(databaseUrl: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Everything in the ledger that does not add up, in one statement: what it reads was committed at one instant. */
const LEDGER_PROBLEMS = `
  WITH posted AS (
    SELECT holder, currency, SUM(amount_minor) AS minor FROM postings
    WHERE holder NOT LIKE 'outside:%' GROUP BY holder, currency),
  held AS (
    SELECT account_id AS holder, currency, SUM(amount_minor) AS minor, SUM(transactions) AS transactions
    FROM balances GROUP BY account_id, currency),
  transacted AS (
    SELECT account_id AS holder, currency, SUM(net_minor) AS minor, COUNT(*) AS transactions
    FROM balance_transactions GROUP BY account_id, currency)
  SELECT 'entry ' || entry_id AS what FROM postings GROUP BY entry_id, currency HAVING SUM(amount_minor) <> 0
  UNION ALL
  SELECT 'balance of ' || holder FROM posted FULL JOIN held USING (holder, currency)
    WHERE posted.minor IS DISTINCT FROM held.minor
  UNION ALL
  SELECT 'balance transactions of ' || holder FROM transacted FULL JOIN held USING (holder, currency)
    WHERE transacted.minor IS DISTINCT FROM held.minor
      OR transacted.transactions IS DISTINCT FROM held.transactions`;

/** Checks that each entry of the ledger sums to zero, and each balance to its postings and balance transactions. */
export async function checkLedger(databaseUrl: string): Promise<void> {
  expect(await query(databaseUrl, LEDGER_PROBLEMS)).toEqual([]);
}
