import type { Queries, Row } from '../store/store.ts';

/** A row that may be old enough to be deleted. */
export interface OldRow extends Row {
  seq: number;
  id: string;
  created_ms: number;
}

/** One table that retention goes through, oldest first. */
export interface Shelf {
  table: 'events' | 'actions' | 'payment_sessions';
  /** Whether nothing will happen to the object any more, and it has not changed since `beforeMs`. */
  isFinished(queries: Queries, id: string, beforeMs: number): Promise<boolean>;
  /** Deletes it with what belongs to it alone. */
  remove(queries: Queries, id: string): Promise<void>;
}

async function exists(queries: Queries, sql: string, ...parameters: (string | number)[]): Promise<boolean> {
  return (await queries.get(sql, ...parameters)) !== undefined;
}

const events: Shelf = {
  table: 'events',
  isFinished: async (queries, id, beforeMs) =>
    (await exists(queries, `SELECT 1 FROM events WHERE id = ? AND updated_ms < ?`, id, beforeMs)) &&
    !(await exists(queries, `SELECT 1 FROM deliveries WHERE event_id = ? AND state = 'Pending'`, id)),
  async remove(queries, id) {
    await queries.run(`DELETE FROM deliveries WHERE event_id = ?`, id);
    await queries.run(`DELETE FROM events WHERE id = ?`, id);
  },
};

/** The latest action of a terminal stays, since the terminal shows it. */
const actions: Shelf = {
  table: 'actions',
  isFinished: (queries, id, beforeMs) =>
    exists(
      queries,
      `SELECT 1 FROM actions action WHERE action.id = ? AND action.completed_ms < ? AND NOT EXISTS (
         SELECT 1 FROM terminals WHERE terminals.id = action.terminal_id AND terminals.last_action_id = action.id)`,
      id,
      beforeMs,
    ),
  async remove(queries, id) {
    await queries.run(`DELETE FROM actions WHERE id = ?`, id);
  },
};

/**
 * Payments that nothing waits for: captured, voided or never paid, without a dispute, a movement or a payout to come,
 * in no series and no subscription. The ledger keeps its own rows of them.
 */
const sessions: Shelf = {
  table: 'payment_sessions',
  isFinished: (queries, id, beforeMs) =>
    exists(
      queries,
      `SELECT 1 FROM payment_sessions session WHERE session.id = ? AND session.updated_ms < ?
       AND session.status IN ('Captured', 'Voided', 'PendingPayment')
       AND session.payment_type = 'Standard' AND session.previous_session_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM disputes WHERE disputes.session_id = session.id)
       AND NOT EXISTS (SELECT 1 FROM subscription_sessions link WHERE link.session_id = session.id)
       AND NOT EXISTS (SELECT 1 FROM payment_transactions part WHERE part.session_id = session.id AND (
         part.status = 'Pending' OR part.updated_ms >= ? OR EXISTS (SELECT 1 FROM balance_transactions moved
           JOIN payout_methods method ON method.account_id = moved.account_id AND method.currency = moved.currency
             AND method.deleted = 0
           WHERE moved.origin_id = part.id AND moved.payout_id IS NULL)))
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.subject = session.id)
       AND NOT EXISTS (SELECT 1 FROM actions WHERE actions.session_id = session.id)`,
      id,
      beforeMs,
      beforeMs,
    ),
  async remove(queries, id) {
    await queries.run(
      `DELETE FROM three_ds_runs WHERE id = (SELECT three_ds_run_id FROM payment_sessions WHERE id = ?)`,
      id,
    );
    await queries.run(`DELETE FROM payment_transactions WHERE session_id = ?`, id);
    await queries.run(`DELETE FROM payment_sessions WHERE id = ?`, id);
  },
};

/** In this order: a payment goes after the actions that took it. */
export const SHELVES: readonly Shelf[] = [events, actions, sessions];
