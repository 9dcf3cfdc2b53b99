import type { JobRequest, Jobs } from '../../../../server/platform/scheduler/jobs.ts';

/** Jobs that are kept and never done. */
export function fakeJobs(): Jobs & { added: JobRequest[] } {
  const added: JobRequest[] = [];
  return {
    added,
    add: async (tx, request) => tx.afterCommit(() => added.push(request)),
    reschedule: async (tx, request) => tx.afterCommit(() => added.push(request)),
    cancel: async () => {},
    handle: () => {},
    finish: async () => {},
    start: () => {},
    stop: async () => {},
  };
}
