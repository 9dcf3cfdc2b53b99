import type { Queries } from '../../platform/store/store.ts';
import { payments, subscriptions } from './finished-payments.ts';
import { expiryShelf, objectShelf, type ObjectShelf, type Shelf } from './shelf.ts';

async function exists(queries: Queries, sql: string, ...parameters: (string | number)[]): Promise<boolean> {
  return (await queries.get(sql, ...parameters)) !== undefined;
}

const events: ObjectShelf = {
  table: 'events',
  isFinished: async (queries, id, { beforeMs }) =>
    (await exists(queries, `SELECT 1 FROM events WHERE id = ? AND updated_ms < ?`, id, beforeMs)) &&
    !(await exists(queries, `SELECT 1 FROM deliveries WHERE event_id = ? AND state = 'Pending'`, id)),
  async remove(tx, id) {
    await tx.run(`DELETE FROM deliveries WHERE event_id = ?`, id);
    await tx.run(`DELETE FROM events WHERE id = ?`, id);
  },
};

/** The latest action of a terminal stays, since the terminal shows it. */
const actions: ObjectShelf = {
  table: 'actions',
  isFinished: (queries, id, { beforeMs }) =>
    exists(
      queries,
      `SELECT 1 FROM actions action WHERE action.id = ? AND action.completed_ms < ? AND NOT EXISTS (
         SELECT 1 FROM terminals WHERE terminals.id = action.terminal_id AND terminals.last_action_id = action.id)`,
      id,
      beforeMs,
    ),
  async remove(tx, id) {
    await tx.run(`DELETE FROM actions WHERE id = ?`, id);
  },
};

/** In this order: a payment goes after the actions that took it, a subscription after its payments. */
export const SHELVES: readonly Shelf[] = [
  ...[events, actions, payments, subscriptions].map(objectShelf),
  // A link that was used runs out as well.
  expiryShelf('account_links', { key: 'token_hash', column: 'expires_ms' }),
  expiryShelf('seen_cryptograms', { key: 'digest', column: 'seen_ms' }),
];
