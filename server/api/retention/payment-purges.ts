import { Fault } from '../../../protocol/failures.ts';
import { SESSION_LIFETIME_MS } from '../payments/payment-session-row.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import {
  findLink,
  subscriptions as storedSubscriptions,
  type SubscriptionRow,
} from '../subscriptions/subscription.records.ts';
import type { Cutoff, ObjectPurge } from './purge.ts';

/**
 * Returns whether a payment is final: captured, voided or expired, its disputes closed, no transaction pending and
 * nothing left to pay out. The ledger keeps its rows.
 * @param companion A later payment of the same series that is deleted with it.
 */
async function isSettled(
  queries: Queries,
  id: string,
  { nowMs, beforeMs }: Cutoff,
  companion = '',
): Promise<boolean> {
  const row = await queries.get(
    `SELECT 1 FROM payment_sessions session WHERE session.id = ? AND session.updated_ms < ?
     AND (session.status IN ('Captured', 'Voided') OR (session.status = 'Approved' AND session.verify_account = 1)
       OR (session.status = 'PendingPayment' AND session.created_ms <= ?))
     AND NOT EXISTS (SELECT 1 FROM payment_sessions later
       WHERE later.previous_session_id = session.id AND later.id <> ?)
     AND NOT EXISTS (SELECT 1 FROM disputes WHERE disputes.session_id = session.id
       AND (disputes.status IN ('Open', 'Challenged') OR disputes.updated_ms >= ?))
     AND NOT EXISTS (SELECT 1 FROM payment_transactions part WHERE part.session_id = session.id AND (
       part.status = 'Pending' OR part.updated_ms >= ? OR EXISTS (SELECT 1 FROM balance_transactions moved
         JOIN payout_methods method ON method.account_id = moved.account_id AND method.currency = moved.currency
           AND method.deleted = 0
         WHERE moved.origin_id = part.id AND moved.payout_id IS NULL)))
     AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.subject = session.id)
     AND NOT EXISTS (SELECT 1 FROM actions WHERE actions.session_id = session.id)`,
    id,
    beforeMs,
    nowMs - SESSION_LIFETIME_MS,
    companion,
    beforeMs,
    beforeMs,
  );
  return row !== undefined;
}

/** Returns whether no series can continue from a payment and no subscription shows it. */
async function isUnreferenced(queries: Queries, id: string, { beforeMs }: Cutoff): Promise<boolean> {
  const link = await findLink(queries, id);
  if (link) {
    const subscription = await findSubscription(queries, link.subscription_id);
    return hasEnded(subscription, beforeMs) && !referencedSessions(subscription).includes(id);
  }
  const series = await queries.get(
    `SELECT 1 FROM payment_sessions WHERE id = ? AND (payment_type <> 'Standard' OR previous_session_id IS NOT NULL)`,
    id,
  );
  return series === undefined;
}

async function removePayment(tx: Transaction, id: string): Promise<void> {
  await tx.run(`DELETE FROM three_ds_runs WHERE session_id = ?`, id);
  await tx.run(`DELETE FROM payment_methods WHERE session_id = ? AND stored = 0`, id);
  await tx.run(`DELETE FROM disputes WHERE session_id = ?`, id);
  await tx.run(`DELETE FROM subscription_sessions WHERE session_id = ?`, id);
  await tx.run(`DELETE FROM payment_transactions WHERE session_id = ?`, id);
  await tx.run(`DELETE FROM payment_sessions WHERE id = ?`, id);
}

/** Payments with their transactions, disputes, single-use cards and authentications. */
export const payments: ObjectPurge = {
  table: 'payment_sessions',
  isFinished: async (queries, id, cutoff) =>
    (await isUnreferenced(queries, id, cutoff)) && (await isSettled(queries, id, cutoff)),
  remove: removePayment,
};

function hasEnded({ status, updated_ms: updatedMs }: SubscriptionRow, beforeMs: number): boolean {
  return (status === 'Ended' || status === 'Cancelled') && updatedMs < beforeMs;
}

/** Returns the payments that a subscription shows, which are kept as long as it is. */
function referencedSessions({
  initial_session_id: initial,
  latest_session_id: latest,
}: SubscriptionRow): string[] {
  return [...new Set([initial, latest])];
}

async function findSubscription(queries: Queries, id: string): Promise<SubscriptionRow> {
  const row = await storedSubscriptions.findAny(queries, id);
  if (!row) throw new Fault('internal', 'a subscription of the batch is not there');
  return row;
}

/** Ended subscriptions with their first and latest payment, once the payments between are deleted. */
export const subscriptions: ObjectPurge = {
  table: 'subscriptions',
  async isFinished(queries, id, cutoff) {
    const row = await findSubscription(queries, id);
    if (!hasEnded(row, cutoff.beforeMs)) return false;
    const { initial_session_id: initial, latest_session_id: latest } = row;
    const waiting = await queries.get(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM jobs WHERE subject = ?)
       OR EXISTS (SELECT 1 FROM subscription_sessions WHERE subscription_id = ? AND session_id NOT IN (?, ?))`,
      id,
      id,
      initial,
      latest,
    );
    if (waiting) return false;
    for (const sessionId of referencedSessions(row)) {
      if (!(await isSettled(queries, sessionId, cutoff, latest))) return false;
    }
    return true;
  },
  async remove(tx, id) {
    for (const sessionId of referencedSessions(await findSubscription(tx, id)))
      await removePayment(tx, sessionId);
    await tx.run(`DELETE FROM subscriptions WHERE id = ?`, id);
  },
};
