import type { JobRequest } from '../../../../server/platform/scheduler/jobs.ts';
import type { Scheduler } from '../../../../server/platform/scheduler/scheduler.ts';

/** Jobs that are kept and never done. */
export function fakeJobs(): Scheduler & { added: JobRequest[] } {
  const added: JobRequest[] = [];
  return {
    added,
    add: async (tx, request) => tx.afterCommit(() => added.push(request)),
    reschedule: async (tx, request) => tx.afterCommit(() => added.push(request)),
    cancel: async () => {},
    handle: () => {},
    finish: async () => {},
    finishAll: async () => {},
    start: () => {},
    stop: async () => {},
    idle: () => true,
    isClaiming: () => false,
    held: () => [],
    onProgress: () => {},
    kinds: () => [],
    nextDueMs: () => Infinity,
    checkAgain: () => {},
  };
}
