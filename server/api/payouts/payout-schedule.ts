import { nextBusinessDay } from '../ledger/business-days.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';

/** Pays out what is available, on every business day; its subject is the account. */
export const AUTOMATIC_JOB = 'payout.automatic';

/** Sees to it that an account is looked at on every business day from the next one on, once. */
export async function scheduleAutomatic(
  tx: Transaction,
  { clock, jobs }: Services,
  accountId: string,
): Promise<void> {
  await jobs.cancel(tx, AUTOMATIC_JOB, accountId);
  await jobs.add(tx, { kind: AUTOMATIC_JOB, subject: accountId, dueMs: nextBusinessDay(clock.nowMs()) });
}
