import type { Queries, Row } from '../../platform/store/store.ts';
import type { ObjectRow, ObjectType } from './object-type.ts';
import type { ObjectDetail } from './object.schema.ts';

/** What the jobs do to the object that they are for. */
const JOBS: Record<string, string> = {
  'action.deadline': 'the terminal is timed out',
  'account.verification': 'the verification of the account is decided',
  'conversion.price': 'the conversion gets its price',
  'conversion.settle': 'the conversion is settled',
  'dispute.date': 'the time to respond ends, or the challenge is decided',
  'payment.failure': 'the transaction fails',
  'payment.hold': 'the authorisation is voided',
  'payment.lifetime': 'the payment session expires',
  'payout.automatic': 'the account is paid out',
  'payout.settle': 'the bank pays or refuses it',
  'person.verification': 'the verification of the person is decided',
  'subscription.wake': 'the subscription is billed, resumed or charged again',
};

/** Returns what happens next to an object by itself, and when; null for nothing. */
export async function nextMomentOf(
  queries: Queries,
  type: ObjectType,
  row: ObjectRow,
  nowMs: number,
): Promise<ObjectDetail['nextMoment']> {
  const keys = [row.id, ...(type.jobsOf?.(row) ?? [])];
  const kinds = Object.keys(JOBS);
  const job = await queries.get<Row & { kind: string; due_ms: number }>(
    `SELECT kind, due_ms FROM jobs WHERE subject IN (${keys.map(() => '?').join(', ')}) AND due_ms > ?
       AND kind IN (${kinds.map(() => '?').join(', ')}) ORDER BY due_ms LIMIT 1`,
    ...keys,
    nowMs,
    ...kinds,
  );
  if (job) return { what: JOBS[job.kind]!, timestamp: Math.ceil(job.due_ms / 1000) };
  const due = type.due?.(row);
  return due && due.atMs > nowMs ? { what: due.what, timestamp: Math.ceil(due.atMs / 1000) } : null;
}
