import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { ACCEPT_MS, applyActionEvent, DEADLINE_JOB, moveDeadline } from './apply-action-event.ts';
import { findAction, listActionsInProgress, saveAction } from './action.records.ts';

/** Ends, or voids, what its terminal or its point of sale left hanging. */
export function registerActionDeadlines(services: Services): void {
  const { clock, jobs, store } = services;
  jobs.handle(DEADLINE_JOB, (job) =>
    store.transaction(async (tx) => {
      await jobs.finish(tx, job, 'done');
      const action = await findAction(tx, job.subject);
      if (action?.deadline_ms == null || action.deadline_ms > clock.nowMs()) return;
      await applyActionEvent(tx, services, action, { type: 'deadline.passed' });
    }),
  );
}

/** At a start: gives terminals, which could not accept anything while the server was stopped, their whole time again. */
export async function renewAcceptance(tx: Transaction, services: Services): Promise<void> {
  for (const action of await listActionsInProgress(tx)) {
    if (action.phase !== 'sent') continue;
    const after = { ...action, deadline_ms: services.clock.nowMs() + ACCEPT_MS };
    await saveAction(tx, action, after);
    await moveDeadline(tx, services, after);
  }
}
