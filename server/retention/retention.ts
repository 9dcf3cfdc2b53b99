import type { Services } from '../services.ts';
import type { Job } from '../scheduler/jobs.ts';
import type { Transaction } from '../store/store.ts';
import { keepForgottenUntil } from './forgotten.records.ts';
import { SHELVES, type OldRow } from './finished.ts';

const RETENTION_JOB = 'retention.step';
const SUBJECT = 'retention';

const DAY_MS = 86_400_000;

/** Rows looked at in one transaction: few enough that no request waits long behind it. */
export const ROWS_A_STEP = 100;

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
  const next = await deleteSome(tx, job.payload as Position, nowMs - retentionDays * DAY_MS);
  const dueMs = next ? nowMs + PAUSE_MS : nowMs + DAY_MS;
  await jobs.add(tx, stepAt(next ?? { shelf: 0, afterSeq: 0 }, dueMs));
}

/** @returns where the next step begins, or undefined when everything old was looked at */
async function deleteSome(
  tx: Transaction,
  { shelf, afterSeq }: Position,
  beforeMs: number,
): Promise<Position | undefined> {
  const { table, isFinished, remove } = SHELVES[shelf]!;
  const rows = await tx.all<OldRow>(
    `SELECT seq, id, created_ms FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`,
    afterSeq,
    ROWS_A_STEP,
  );
  let deleted = 0;
  for (const { id, created_ms: createdMs } of rows) {
    if (createdMs >= beforeMs || !(await isFinished(tx, id, beforeMs))) continue;
    await remove(tx, id);
    deleted += 1;
  }
  if (deleted > 0) await keepForgottenUntil(tx, beforeMs);
  const last = rows.at(-1);
  if (last && rows.length === ROWS_A_STEP && last.created_ms < beforeMs) return { shelf, afterSeq: last.seq };
  return shelf + 1 < SHELVES.length ? { shelf: shelf + 1, afterSeq: 0 } : undefined;
}
