import type { Queries } from '../../platform/store/store.ts';
import { payments, subscriptions } from './payment-purges.ts';
import { expiryPurge, objectPurge, type ObjectPurge, type Purge } from './purge.ts';

async function exists(queries: Queries, sql: string, ...parameters: (string | number)[]): Promise<boolean> {
  return (await queries.get(sql, ...parameters)) !== undefined;
}

const events: ObjectPurge = {
  table: 'events',
  isFinished: (queries, id, { beforeMs }) =>
    exists(
      queries,
      `SELECT 1 FROM events WHERE id = ? AND updated_ms < ? AND NOT EXISTS (
         SELECT 1 FROM deliveries WHERE event_id = events.id AND (state = 'Pending' OR updated_ms >= ?))`,
      id,
      beforeMs,
      beforeMs,
    ),
  async remove(tx, id) {
    await tx.run(`DELETE FROM deliveries WHERE event_id = ?`, id);
    await tx.run(`DELETE FROM events WHERE id = ?`, id);
  },
};

/** The latest action of a terminal is kept, because the terminal shows it. */
const actions: ObjectPurge = {
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
    await tx.run(`DELETE FROM action_timelines WHERE action_id = ?`, id);
    await tx.run(`DELETE FROM actions WHERE id = ?`, id);
  },
};

/** All purges, in order: payments after the actions that took them, subscriptions after their payments. */
export const PURGES: readonly Purge[] = [
  ...[events, actions, payments, subscriptions].map(objectPurge),
  // Used links expire too.
  expiryPurge('account_links', { key: 'token_hash', column: 'expires_ms' }),
  expiryPurge('seen_cryptograms', { key: 'digest', column: 'seen_ms' }),
];
