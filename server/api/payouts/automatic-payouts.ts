import { readAccount } from '../accounts/account-view.ts';
import { findAccountRow } from '../accounts/account.records.ts';
import { availableOf } from '../ledger/balance.records.ts';
import { nextBusinessDay } from '../ledger/business-days.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { AUTOMATIC_JOB } from './payout-schedule.ts';
import { listPayoutMethods } from '../accounts/payout-method.records.ts';
import { whyNotPaid } from './payout.rules.ts';
import { makePayout, minimumOf } from './payouts.ts';

/** Does the automatic payouts (docs/choices.md, Payouts). An account without a payout method is left alone. */
export function watchAutomaticPayouts(services: Services): void {
  const { clock, jobs, store } = services;
  jobs.handle(AUTOMATIC_JOB, (job) =>
    store.transaction(async (tx) => {
      const methods = await listPayoutMethods(tx, job.subject);
      const again = { again: nextBusinessDay(clock.nowMs()) };
      await jobs.finish(tx, job, methods.length === 0 ? 'done' : again);
      await payOut(tx, services, job.subject);
    }),
  );
}

/** Pays out each currency that has a Valid payout method and comes to the minimum. */
async function payOut(tx: Transaction, services: Services, accountId: string): Promise<void> {
  const row = await findAccountRow(tx, accountId);
  if (row?.payout_schedule !== 'Automatic' || whyNotPaid(await readAccount(tx, row))) return;
  const leastMinor = Math.max(minimumOf(row), 1);
  for (const method of await listPayoutMethods(tx, accountId)) {
    if (method.status !== 'Valid') continue;
    const availableMinor = await availableOf(tx, accountId, method.currency, services.clock.nowMs());
    if (availableMinor < leastMinor) continue;
    await makePayout(tx, services, { accountId, method, scheduleType: 'Automatic' });
  }
}
