import type { Queries, Row } from '../../platform/store/store.ts';

interface Sum extends Row {
  holder: string;
  currency: string;
  minor: number;
}

/**
 * Checks the whole ledger and returns a sentence for each inconsistency; empty when it is consistent. Runs inside a
 * transaction, so that nothing changes meanwhile. It reads every row, so it is for tests and for investigations, not
 * for regular use.
 */
export async function auditLedger(queries: Queries, nowMs: number): Promise<string[]> {
  return [
    ...(await unbalancedEntries(queries)),
    ...(await unbalancedTransactions(queries)),
    ...(await differences(queries, 'the postings of', POSTED, TRANSACTED)),
    ...(await differences(queries, 'the balance of', HELD, TRANSACTED)),
    ...(await differences(queries, 'what is available to', AVAILABLE, TRANSACTED_AVAILABLE, nowMs)),
    ...(await differences(queries, 'the number of balance transactions of', COUNTED, TRANSACTIONS)),
    ...(await differences(queries, 'the fees of', PROCESSED, FEES)),
  ];
}

const POSTED = `SELECT holder, currency, SUM(amount_minor) AS minor FROM postings
  WHERE holder NOT LIKE 'outside:%' GROUP BY holder, currency`;
const PROCESSED = `SELECT holder, currency, SUM(amount_minor) AS minor FROM postings
  WHERE holder = 'outside:processor' GROUP BY holder, currency`;

const FROM_BALANCES = `FROM balances GROUP BY account_id, currency`;
const HELD = `SELECT account_id AS holder, currency, SUM(amount_minor) AS minor ${FROM_BALANCES}`;
const COUNTED = `SELECT account_id AS holder, currency, SUM(transactions) AS minor ${FROM_BALANCES}`;
const AVAILABLE = `SELECT account_id AS holder, currency,
  SUM(CASE WHEN available_ms <= ? THEN amount_minor ELSE 0 END) AS minor ${FROM_BALANCES}`;

const FROM_TRANSACTIONS = `FROM balance_transactions GROUP BY account_id, currency`;
const TRANSACTED = `SELECT account_id AS holder, currency, SUM(net_minor) AS minor ${FROM_TRANSACTIONS}`;
const TRANSACTIONS = `SELECT account_id AS holder, currency, COUNT(*) AS minor ${FROM_TRANSACTIONS}`;
const TRANSACTED_AVAILABLE = `SELECT account_id AS holder, currency,
  SUM(CASE WHEN available_ms <= ? THEN net_minor ELSE 0 END) AS minor ${FROM_TRANSACTIONS}`;
const FEES = `SELECT 'outside:processor' AS holder, currency, SUM(fee_minor) AS minor
  FROM balance_transactions GROUP BY currency`;

async function unbalancedEntries(queries: Queries): Promise<string[]> {
  const entries = await queries.all<{ entry_id: string; currency: string; minor: number }>(
    `SELECT entry_id, currency, SUM(amount_minor) AS minor FROM postings
     GROUP BY entry_id, currency HAVING SUM(amount_minor) <> 0`,
  );
  return entries.map(({ entry_id: id, currency, minor }) => `entry ${id} is off by ${minor} ${currency}`);
}

async function unbalancedTransactions(queries: Queries): Promise<string[]> {
  const rows = await queries.all<{ id: string }>(
    `SELECT id FROM balance_transactions WHERE net_minor <> amount_minor - fee_minor`,
  );
  return rows.map(({ id }) => `balance transaction ${id} is not its amount without its fee`);
}

/** Returns the holders and currencies for which two sums differ. */
async function differences(
  queries: Queries,
  what: string,
  one: string,
  other: string,
  ...parameters: number[]
): Promise<string[]> {
  const left = byHolder(await queries.all<Sum>(one, ...parameters));
  const right = byHolder(await queries.all<Sum>(other, ...parameters));
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((key) => (left.get(key) ?? 0) !== (right.get(key) ?? 0))
    .map((key) => `${what} ${key}: ${left.get(key) ?? 0}, by its transactions ${right.get(key) ?? 0}`);
}

function byHolder(sums: readonly Sum[]): Map<string, number> {
  return new Map(sums.map(({ holder, currency, minor }) => [`${holder} ${currency}`, minor]));
}
