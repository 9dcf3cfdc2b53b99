import { expect } from 'vitest';
import { waitFor } from '../kit/wait-for.ts';
import { query } from './ledger-check.ts';
import type { Acknowledged } from './tills.ts';

/** Longer than the claim of a server that was killed lasts. */
const RELEASED_MS = 30_000;

/**
 * Compares a database with what its servers acknowledged: nothing is missing, nothing is there twice, and nothing is under
 * way for ever.
 */
export async function checkStore(databaseUrl: string, acknowledged: Acknowledged): Promise<void> {
  const read = <R extends object>(sql: string) => query<R>(databaseUrl, sql);
  await checkSessions(read, acknowledged);
  await checkActions(read, acknowledged);

  const transfers = await read<{ id: string; status: string; amount: number }>(
    'SELECT id, status, amount_minor::int AS amount FROM transfers',
  );
  expect(byId(transfers)).toEqual(acknowledged.transfers);
  const payouts = await read<{ id: string; amount: number }>(
    'SELECT id, amount_minor::int AS amount FROM payouts',
  );
  expect(byId(payouts)).toEqual(acknowledged.payouts);
  const customers = await read<{ id: string; email: string }>(
    `SELECT id, email FROM customers WHERE email LIKE '%@corner.example'`,
  );
  expect(new Map(customers.map(({ id, email }) => [id, email]))).toEqual(acknowledged.customers);

  expect(await read('SELECT key_digest FROM idempotency_keys WHERE status IS NULL')).toEqual([]);
  await waitFor(
    'every claimed job to end',
    async () => (await read('SELECT seq FROM jobs WHERE claimed_by IS NOT NULL')).length === 0,
    RELEASED_MS,
  );
}

type Read = <R extends object>(sql: string) => Promise<R[]>;

function byId<R extends { id: string }>(rows: readonly R[]): Map<string, Omit<R, 'id'>> {
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}

/** Each session has the movements that were acknowledged, and each movement is one entry of the ledger. */
async function checkSessions(read: Read, { sessions }: Acknowledged): Promise<void> {
  const rows = await read<{ id: string }>(`SELECT id FROM payment_sessions WHERE metadata LIKE '%order%'`);
  expect(rows.map(({ id }) => id).toSorted()).toEqual([...sessions.keys()].toSorted());

  const moved = await read<{ id: string; movements: string[] }>(
    `SELECT s.id, COALESCE(array_agg(t.type || ' ' || t.amount_minor ORDER BY t.seq)
       FILTER (WHERE t.status = 'Succeeded'), '{}') AS movements
     FROM payment_sessions s LEFT JOIN payment_transactions t ON t.session_id = s.id
     WHERE s.metadata LIKE '%order%' GROUP BY s.id`,
  );
  for (const { id, movements } of moved)
    expect([id, sessions.get(id)]).toEqual([id, expect.arrayContaining([movements])]);

  // Money in and out of the ledger, by what caused it.
  const off = await read(
    `SELECT t.id, t.type FROM payment_transactions t
     LEFT JOIN balance_transactions b ON b.origin_id = t.id
     WHERE t.status = 'Succeeded'
     GROUP BY t.id, t.type, t.amount_minor
     HAVING COALESCE(SUM(b.amount_minor), 0) <> CASE t.type
       WHEN 'Capture' THEN t.amount_minor WHEN 'Refund' THEN -t.amount_minor ELSE 0 END`,
  );
  expect(off).toEqual([]);
  const sums = await read(
    `SELECT s.id FROM payment_sessions s LEFT JOIN payment_transactions t ON t.session_id = s.id
       AND t.status = 'Succeeded'
     GROUP BY s.id, s.captured_minor, s.refunded_minor
     HAVING s.captured_minor <> COALESCE(SUM(t.amount_minor) FILTER (WHERE t.type = 'Capture'), 0)
       OR s.refunded_minor <> COALESCE(SUM(t.amount_minor) FILTER (WHERE t.type = 'Refund'), 0)`,
  );
  expect(sums).toEqual([]);
}

/** Each action has ended once, as was seen. */
async function checkActions(read: Read, { actions }: Acknowledged): Promise<void> {
  const rows = await read<{ id: string; status: string; statuses: string[] }>(
    `SELECT a.id, a.status, array_agg(e.body::json #>> '{data,action,status}') AS statuses FROM actions a
     JOIN events e ON e.body::json #>> '{data,action,id}' = a.id
       AND e.body::json #>> '{data,action,status}' <> 'InProgress'
     GROUP BY a.id, a.status`,
  );
  expect(new Map(rows.map(({ id, status, statuses }) => [id, [status, statuses]]))).toEqual(
    new Map([...actions].map(([id, { status }]) => [id, [status, [status]]])),
  );
  expect(await read(`SELECT id FROM actions WHERE status = 'InProgress'`)).toEqual([]);
}
