import { assign, setup, transition } from 'xstate';
import type { VerificationStatus } from './verification.schema.ts';

export type VerificationPhase = 'notRequired' | 'required' | 'pendingVerification' | 'verified';

/** Facts that move the verification of an account or a person. */
export type VerificationFact =
  /** The law asks for it: a business, a director, an individual who was paid out enough. */
  | { type: 'verification.demanded' }
  | { type: 'verification.released' }
  /** Something that is asked for is not there. */
  | { type: 'details.lacking' }
  /** Everything is there; `unchecked` when nobody has looked at some of it yet. */
  | { type: 'details.supplied'; unchecked: boolean }
  | { type: 'check.passed' }
  | { type: 'check.refused' }
  /** Somebody said that it is verified, whatever is there (a sandbox control). */
  | { type: 'check.waived' };

/** What a step asks of the scheduler. */
export type VerificationEffect = 'submit' | 'withdraw';

interface Context {
  waived: boolean;
}

const machineSetup = setup({
  types: { context: {} as Context, events: {} as VerificationFact, input: {} as Context },
  guards: {
    isWaived: ({ context }) => context.waived,
    isUnchecked: ({ event }) => event.type === 'details.supplied' && event.unchecked,
  },
  actions: {
    submit: () => {},
    withdraw: () => {},
    waive: assign({ waived: true }),
    insist: assign({ waived: false }),
  },
});

const waivable = { 'check.waived': { target: 'verified', actions: 'waive' } } as const;
const refusable = { 'check.refused': { target: 'required', actions: 'insist' } } as const;

/**
 * The verification of an account or a person (Spec §2.3, §2.4): submitted by itself when everything is there,
 * and asked for again when something turns out to be wrong or goes missing.
 */
export const verificationMachine = machineSetup.createMachine({
  id: 'verification',
  initial: 'notRequired',
  context: ({ input }) => input,
  states: {
    notRequired: {
      tags: 'NotRequired',
      on: { ...waivable, ...refusable, 'verification.demanded': 'required' },
    },
    required: {
      tags: 'Required',
      on: {
        ...waivable,
        ...refusable,
        'verification.released': 'notRequired',
        'details.supplied': { target: 'pendingVerification', actions: 'submit' },
      },
    },
    pendingVerification: {
      tags: 'PendingVerification',
      on: {
        'check.waived': { target: 'verified', actions: ['withdraw', 'waive'] },
        'check.refused': { target: 'required', actions: ['withdraw', 'insist'] },
        'verification.released': { target: 'notRequired', actions: 'withdraw' },
        'details.lacking': { target: 'required', actions: 'withdraw' },
        'check.passed': { target: 'verified', actions: 'withdraw' },
      },
    },
    verified: {
      tags: 'Verified',
      on: {
        ...waivable,
        ...refusable,
        'details.lacking': [{ guard: 'isWaived' }, { target: 'required' }],
        'details.supplied': [
          { guard: 'isWaived' },
          { guard: 'isUnchecked', target: 'pendingVerification', actions: 'submit' },
        ],
      },
    },
  },
});

const EFFECTS: readonly string[] = ['submit', 'withdraw'] satisfies VerificationEffect[];

export interface VerificationStep {
  phase: VerificationPhase;
  waived: boolean;
  effects: VerificationEffect[];
}

/** The step that a fact makes from where a verification stands; it stays where the fact changes nothing. */
export function verificationStep(
  { phase, waived }: { phase: VerificationPhase; waived: boolean },
  fact: VerificationFact,
): VerificationStep {
  const before = verificationMachine.resolveState({ value: phase, context: { waived } });
  const [after, actions] = transition(verificationMachine, before, fact);
  return {
    phase: after.value,
    waived: after.context.waived,
    effects: actions
      .map(({ type }) => type)
      .filter((type): type is VerificationEffect => EFFECTS.includes(type)),
  };
}

/** What the API calls a phase. */
export function statusOfPhase(phase: VerificationPhase): VerificationStatus {
  const [tag] = verificationMachine.resolveState({ value: phase, context: { waived: false } }).tags;
  return tag as VerificationStatus;
}
