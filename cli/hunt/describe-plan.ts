import { CUT_POINTS } from '../../server/platform/faults/cut-points.ts';
import type { FoundFault } from './hunt-engine.ts';

const STOPS: Record<string, string> = {
  'stop-before-request': 'The process is killed before it is handled, and started again.',
  'stop-before-reply': 'The process is killed before it hears the reply, and started again.',
};

/** Returns what a fault strikes and what it does, in words. */
export function describeFault({ at, what, when = {}, delayMs }: FoundFault): string {
  const { nth = 1, operation, message, state, eventType } = when;
  if (at === 'integrator') return `request ${nth} of the process: ${STOPS[what] ?? what}`;
  const { title, faults } = CUT_POINTS[at];
  const subject = operation ?? message ?? state ?? eventType;
  const of = subject === undefined ? '' : `, ${subject}`;
  const text = (faults as Record<string, string>)[what] ?? what;
  const does = text.replaceAll('`delayMs`', `${(delayMs ?? 5_000) / 1000} s`);
  return `${title}${of}, the ${ordinal(nth)} one: ${does}`;
}

function ordinal(nth: number): string {
  return ['first', 'second', 'third', 'fourth', 'fifth'][nth - 1] ?? `${nth}th`;
}
