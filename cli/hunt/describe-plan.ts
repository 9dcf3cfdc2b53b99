import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import { faultLine } from '../../server/platform/faults/fault-words.ts';
import type { FoundFault } from './hunt-engine.ts';

const STOPS: Record<string, string> = {
  'stop-before-request': 'The process is killed before it is handled, and started again.',
  'stop-before-reply': 'The process is killed before it hears the reply, and started again.',
};

/** Returns what a fault of a hunt strikes and what it does, in words. */
export function describeFault(fault: FoundFault): string {
  if (fault.at !== 'integrator') return faultLine(fault as PlannedFault);
  return `Request ${fault.when?.nth ?? 1} of the integrator's process: ${STOPS[fault.what] ?? fault.what}`;
}
