import { readAccountResource } from '../accounts/account-view.ts';
import { accounts } from '../accounts/account.records.ts';
import { availableOf } from '../ledger/balance.records.ts';
import { nextBusinessDay } from '../ledger/business-days.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { AUTOMATIC_JOB } from './payout-schedule.ts';
import { payoutMethods } from '../accounts/payout-method.records.ts';
import { payoutBlockOf } from './payout.rules.ts';
import { createPayout, minimumPayoutOf } from './payouts.ts';

/** Registers the job of automatic payouts; it ends for an account without payout methods (docs/choices.md, Payouts). */
export function registerAutomaticPayoutJobs(services: Services): void {
  const { clock, jobs, store } = services;
  jobs.handle(AUTOMATIC_JOB, (job) =>
    store.transaction(async (tx) => {
      const methods = await payoutMethods.allOf(tx, job.key);
      const again = { again: nextBusinessDay(clock.nowMs()) };
      await jobs.finish(tx, job, methods.length === 0 ? 'done' : again);
      await payOutAll(tx, services, job.key);
    }),
  );
}

/** Pays out each currency with a `Valid` payout method whose available balance is at least the minimum. */
async function payOutAll(tx: Transaction, services: Services, accountId: string): Promise<void> {
  const row = await accounts.findAny(tx, accountId);
  if (row?.payout_schedule !== 'Automatic' || payoutBlockOf(await readAccountResource(tx, row))) return;
  const minimumMinor = Math.max(minimumPayoutOf(row), 1);
  for (const method of await payoutMethods.allOf(tx, accountId)) {
    if (method.status !== 'Valid') continue;
    const availableMinor = await availableOf(tx, accountId, method.currency, services.clock.nowMs());
    if (availableMinor < minimumMinor) continue;
    await createPayout(tx, services, { accountId, method, scheduleType: 'Automatic' });
  }
}
