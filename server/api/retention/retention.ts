import type { Services } from '../../platform/services.ts';
import type { Job } from '../../platform/scheduler/jobs.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { saveDeletedBefore } from '../../platform/store/deleted-objects.records.ts';
import { PURGES } from './purges.ts';

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
  jobs.handle(RETENTION_JOB, (job) => store.transaction((tx) => runBatch(tx, services, job)));
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
