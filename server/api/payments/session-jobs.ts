import type { Services } from '../../platform/services.ts';
import type { Job } from '../../platform/scheduler/jobs.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { paymentSessions } from './payment-session.records.ts';
import { FAILURE_JOB, recordFailure } from './settlement-failure.ts';
import { expire, expireHold, HOLD_JOB, LIFETIME_JOB } from './settlement.ts';

/** Registers the jobs of payment sessions: expired holds, expired required actions, simulated failures. */
export function registerSessionJobs(services: Services): void {
  const { jobs, store } = services;

  function onDue(kind: string, run: (tx: Transaction, job: Job) => Promise<void>): void {
    jobs.handle(kind, (job) =>
      store.transaction(async (tx) => {
        await jobs.finish(tx, job, 'done');
        await run(tx, job);
      }),
    );
  }

  onDue(HOLD_JOB, async (tx, { key }) => {
    const session = await paymentSessions.findAny(tx, key);
    if (session?.status === 'Approved') await expireHold({ tx, services, session });
  });

  onDue(LIFETIME_JOB, async (tx, { key }) => {
    const session = await paymentSessions.findAny(tx, key);
    if (session?.status === 'PendingAction') await expire({ tx, services, session });
  });

  onDue(FAILURE_JOB, (tx, job) => recordFailure(tx, services, job));
}
