import { faultLine } from '../../server/platform/faults/fault-words.ts';
import type { HuntedFault, IntegratorFault } from './fault-arbitrary.ts';

const STOPS: Record<IntegratorFault['what'], string> = {
  'stop-before-request': 'The process is killed before it is handled, and started again.',
  'stop-before-reply': 'The process is killed before it hears the reply, and started again.',
};

/** Returns what a fault of a hunt strikes and what it does, in words. */
export function describeFault(fault: HuntedFault): string {
  if (fault.at !== 'integrator') return faultLine(fault);
  return `Request ${fault.when.nth} of the integrator's process: ${STOPS[fault.what]}`;
}
