import fc from 'fast-check';
import { CUT_POINTS } from '../../server/platform/faults/cut-points.ts';
import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import type { Observed } from './observed-occurrences.ts';

/** A fault that a hunt tries: one of the server, or a stop of the integrator's process. */
export type HuntedFault = PlannedFault | IntegratorFault;

/** The process of the integrator stops before it sends its nth request, or before it hears the reply, and starts again. */
export interface IntegratorFault {
  at: 'integrator';
  what: 'stop-before-request' | 'stop-before-reply';
  when: { nth: number };
}

// Short for a person, longer than a client waits, longer than an action at a terminal lasts.
const DELAYS_MS = [1_000, 15_000, 120_000];
/** Occurrences of one kind of which a hunt strikes any; later ones are much the same. */
const NTH_MAX = 5;
// Nobody is told of these, so the verdicts could only judge what the shop cannot know.
const LEFT_OUT = new Set(['message.report machine.described', 'message.report machine.stepped']);

interface ArbitraryParts {
  observed: readonly Observed[];
  /** Number of requests of the scenario; 0 where it cannot be started again. */
  restartable: number;
  maxFaults: number;
}

/** Returns what generates plans out of the faults that can strike what a scenario does; undefined when none can. */
export function planArbitrary({
  observed,
  restartable,
  maxFaults,
}: ArbitraryParts): fc.Arbitrary<HuntedFault[]> | undefined {
  // The server writes by itself too, whatever the scenario does.
  const isIdle = observed.every(({ at }) => at === 'server.commit');
  const ofServer = isIdle
    ? []
    : observed.filter(isTried).map((seen) => ({ arbitrary: faultAt(seen), weight: 1 }));
  // Each request is another place at which a process can stop.
  const weight = Math.min(restartable, NTH_MAX);
  const faults = [...ofServer, ...(weight > 0 ? [{ arbitrary: stopOf(restartable), weight }] : [])];
  if (faults.length === 0) return undefined;
  return fc.array(fc.oneof(...faults), { minLength: 1, maxLength: maxFaults });
}

function isTried({ at, message }: Observed): boolean {
  return !LEFT_OUT.has(`${at} ${message}`);
}

function faultAt({ at, count, ...filter }: Observed): fc.Arbitrary<HuntedFault> {
  return fc
    .record({
      what: fc.constantFrom(...Object.keys(CUT_POINTS[at].faults)),
      // Each commit is another step of the server.
      nth: fc.integer({ min: 1, max: at === 'server.commit' ? count : Math.min(count, NTH_MAX) }),
      delayMs: fc.constantFrom(...DELAYS_MS),
    })
    .map(({ what, nth, delayMs }) => ({ at, what, delayMs, when: { ...filter, nth } }));
}

function stopOf(requests: number): fc.Arbitrary<HuntedFault> {
  return fc
    .record({
      what: fc.constantFrom('stop-before-request' as const, 'stop-before-reply' as const),
      nth: fc.integer({ min: 1, max: requests }),
    })
    .map(({ what, nth }) => ({ at: 'integrator' as const, what, when: { nth } }));
}
