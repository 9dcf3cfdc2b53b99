import type { Services } from '../services.ts';
import { conduct, DEADLINE_JOB } from './action-conductor.ts';
import { findAction } from './action.records.ts';

/** Ends, or voids, what its terminal or its point of sale left hanging. */
export function watchDeadlines(services: Services): void {
  const { clock, jobs, store } = services;
  jobs.handle(DEADLINE_JOB, (job) =>
    store.transaction(async (tx) => {
      await jobs.finish(tx, job, 'done');
      const action = await findAction(tx, job.subject);
      if (action?.deadline_ms == null || action.deadline_ms > clock.nowMs()) return;
      await conduct(tx, services, action, { type: 'deadline.passed' });
    }),
  );
}
