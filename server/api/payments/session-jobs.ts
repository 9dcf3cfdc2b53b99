import type { Services } from '../../platform/services.ts';
import type { Job } from '../../platform/scheduler/jobs.ts';
import { PAYMENT_GUARDS, lockAnySession } from './payment-session.records.ts';
import { FAILURE_JOB, recordFailure } from './settlement-failure.ts';
import { expire, expireHold, HOLD_JOB, LIFETIME_JOB } from './settlement.ts';
import { HOLD_MS, type PaymentSessionRow } from './payment-session-row.ts';
import { findApprovalMs } from './payment-transaction.records.ts';
import type { PaymentContext } from './session-events.ts';

/** Registers the jobs of payment sessions: expired holds, expired required actions, simulated failures. */
export function registerSessionJobs(services: Services): void {
  const { jobs, store } = services;

  function onDue(kind: string, run: (context: PaymentContext, job: Job) => Promise<unknown>): void {
    jobs.handle(kind, (job) =>
      store.transaction(async (tx) => {
        // The session before the job, in the order of a request that cancels the job.
        const session = await lockAnySession(tx, job.key);
        await jobs.finish(tx, job, 'done');
        if (session) await run({ tx, services, session }, job);
      }, PAYMENT_GUARDS),
    );
  }

  onDue(HOLD_JOB, async (context) => {
    if (context.session.status === 'Approved') await expireHold(context);
  });

  onDue(LIFETIME_JOB, async (context) => {
    if (context.session.status === 'PendingAction') await expire(context);
  });

  onDue(FAILURE_JOB, recordFailure);
}

/** Ends the hold of a session whose time has come, also before its job does. Returns the session as it is then. */
export async function expireHoldIfDue(context: PaymentContext): Promise<PaymentSessionRow> {
  const { tx, services, session } = context;
  const nowMs = services.clock.nowMs();
  const isHeld =
    session.status === 'Approved' && session.capture_flow === 'Manual' && session.verify_account === 0;
  if (!isHeld || nowMs < session.created_ms + HOLD_MS) return session;
  const approvedMs = await findApprovalMs(tx, session.id);
  if (approvedMs === undefined || nowMs < approvedMs + HOLD_MS) return session;
  await services.jobs.cancel(tx, HOLD_JOB, session.id);
  return expireHold(context);
}
