import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { ACCEPT_MS } from './action-transition.ts';
import { applyActionEvent, DEADLINE_JOB, moveDeadline } from './apply-action-event.ts';
import { findAction, listActionsInProgress, saveAction } from './action.records.ts';

/** Registers the job that applies `deadline.passed` to actions that are not completed in time. */
export function registerActionDeadlines(services: Services): void {
  const { clock, jobs, store } = services;
  jobs.handle(DEADLINE_JOB, (job) =>
    store.transaction(async (tx) => {
      const action = await findAction(tx, job.subject);
      const dueMs = action?.deadline_ms ?? undefined;
      if (dueMs !== undefined && dueMs > clock.nowMs()) return jobs.finish(tx, job, { again: dueMs });
      await jobs.finish(tx, job, 'done');
      if (!action || dueMs === undefined) return;
      await applyActionEvent(tx, services, action, { type: 'deadline.passed' });
    }),
  );
}

/** Restarts the accept deadlines at server start: no terminal could accept an action while the server was stopped. */
export async function renewAcceptance(tx: Transaction, services: Services): Promise<void> {
  for (const action of await listActionsInProgress(tx)) {
    if (action.phase !== 'sent') continue;
    const after = { ...action, deadline_ms: services.clock.nowMs() + ACCEPT_MS };
    await saveAction(tx, action, after);
    await moveDeadline(tx, services, after);
  }
}
