import { nextBusinessDay } from '../ledger/business-days.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/store/store.ts';

/** Kind of the job that pays out an account's balance on every business day; its key is the account. */
export const AUTOMATIC_JOB = 'payout.automatic';

/** Schedules the automatic payouts of an account from the next business day; replaces an earlier schedule. */
export async function scheduleAutomaticPayouts(
  tx: Transaction,
  { clock, jobs }: Context,
  accountId: string,
): Promise<void> {
  await jobs.cancel(tx, AUTOMATIC_JOB, accountId);
  await jobs.add(tx, { kind: AUTOMATIC_JOB, key: accountId, dueMs: nextBusinessDay(clock.nowMs()) });
}
