import type { Services } from '../../platform/services.ts';
import type { Job } from '../../platform/scheduler/jobs.ts';
import type { Transaction, Queries } from '../../platform/store/store.ts';
import { saveDeletedBefore } from '../../platform/store/deleted-objects.records.ts';
import { payments, subscriptions } from './payment-purges.ts';
import { expiryPurge, objectPurge, type ObjectPurge, type Purge } from './purge.ts';

const RETENTION_JOB = 'retention.step';
const KEY = 'retention';

const DAY_MS = 86_400_000;

/** Pause between two batches, sandbox time. */
const PAUSE_MS = 1_000;

type Parts = Pick<Services, 'clock' | 'jobs' | 'settings' | 'store'>;

/** Where a batch begins: in a purge (its index), after a row. Stored in the job, so member names must not change. */
interface Cursor {
  shelf: number;
  afterSeq: number;
}

/** Registers the job that deletes objects finished for `retentionDays`, in batches, once a day. */
export function registerRetentionJobs(services: Parts): void {
  const { jobs, store } = services;
  jobs.handle(RETENTION_JOB, (job) =>
    store.transaction((tx) => runBatch(tx, services, job), { serializable: 'deletion' }),
  );
}

/** Schedules the job once, or not at all without the setting. Called at start and after a reset. */
export async function scheduleRetention(
  tx: Transaction,
  { clock, jobs, settings }: Pick<Services, 'clock' | 'jobs' | 'settings'>,
): Promise<void> {
  await jobs.cancel(tx, RETENTION_JOB, KEY);
  if (settings.retentionDays === undefined) return;
  await jobs.add(tx, jobAt({ shelf: 0, afterSeq: 0 }, clock.nowMs()));
}

function jobAt(payload: Cursor, dueMs: number) {
  return { kind: RETENTION_JOB, key: KEY, payload, dueMs };
}

async function runBatch(tx: Transaction, { clock, jobs, settings }: Parts, job: Job): Promise<void> {
  await jobs.finish(tx, job, 'done');
  const { retentionDays } = settings;
  if (retentionDays === undefined) return;
  const nowMs = clock.nowMs();
  const cutoff = { nowMs, beforeMs: nowMs - retentionDays * DAY_MS };
  const { shelf, afterSeq } = job.payload as Cursor;
  const { deletedObjects, next } = await PURGES[shelf]!.runBatch(tx, afterSeq, cutoff);
  if (deletedObjects) await saveDeletedBefore(tx, cutoff.beforeMs);
  const position = next === undefined ? { shelf: shelf + 1, afterSeq: 0 } : { shelf, afterSeq: next };
  const isDone = position.shelf === PURGES.length;
  await jobs.add(
    tx,
    isDone ? jobAt({ shelf: 0, afterSeq: 0 }, nowMs + DAY_MS) : jobAt(position, nowMs + PAUSE_MS),
  );
}

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
const PURGES: readonly Purge[] = [
  ...[events, actions, payments, subscriptions].map(objectPurge),
  // Used links expire too.
  expiryPurge('account_links', { key: 'token_hash', column: 'expires_ms' }),
  expiryPurge('seen_cryptograms', { key: 'digest', column: 'seen_ms' }),
];
