import type { Services } from '../../platform/services.ts';
import type { Job } from '../../platform/scheduler/jobs.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { keepForgottenUntil } from '../../platform/store/forgotten.records.ts';
import { SHELVES } from './finished.ts';

const RETENTION_JOB = 'retention.step';
const SUBJECT = 'retention';

const DAY_MS = 86_400_000;

/** Between two steps, sandbox time. */
const PAUSE_MS = 1_000;

type Parts = Pick<Services, 'clock' | 'jobs' | 'settings' | 'store'>;

/** Where a step begins: after a row of a shelf. */
interface Position {
  shelf: number;
  afterSeq: number;
}

/** Deletes what has been finished for `retentionDays`, step by step and once a day; without the setting nothing. */
export function watchRetention(services: Parts): void {
  const { jobs, store } = services;
  jobs.handle(RETENTION_JOB, (job) => store.transaction((tx) => takeStep(tx, services, job)));
}

/** Sees to it that there is one job for it, or none when the setting is off: at a start and after a reset. */
export async function planRetention(
  tx: Transaction,
  { clock, jobs, settings }: Pick<Services, 'clock' | 'jobs' | 'settings'>,
): Promise<void> {
  await jobs.cancel(tx, RETENTION_JOB, SUBJECT);
  if (settings.retentionDays === undefined) return;
  await jobs.add(tx, stepAt({ shelf: 0, afterSeq: 0 }, clock.nowMs()));
}

function stepAt(payload: Position, dueMs: number) {
  return { kind: RETENTION_JOB, subject: SUBJECT, payload, dueMs };
}

async function takeStep(tx: Transaction, { clock, jobs, settings }: Parts, job: Job): Promise<void> {
  await jobs.finish(tx, job, 'done');
  const { retentionDays } = settings;
  if (retentionDays === undefined) return;
  const nowMs = clock.nowMs();
  const age = { nowMs, beforeMs: nowMs - retentionDays * DAY_MS };
  const { shelf, afterSeq } = job.payload as Position;
  const { forgot, next } = await SHELVES[shelf]!.takeStep(tx, afterSeq, age);
  if (forgot) await keepForgottenUntil(tx, age.beforeMs);
  const position = next === undefined ? { shelf: shelf + 1, afterSeq: 0 } : { shelf, afterSeq: next };
  const isDone = position.shelf === SHELVES.length;
  await jobs.add(
    tx,
    isDone ? stepAt({ shelf: 0, afterSeq: 0 }, nowMs + DAY_MS) : stepAt(position, nowMs + PAUSE_MS),
  );
}
