import { assign, setup } from 'xstate';
import { statusOf, stepsOf } from '../../../protocol/machine-step.ts';
import type { VerificationStatus } from './verification.schema.ts';

const STATES = ['notRequired', 'required', 'pendingVerification', 'verified'] as const;
export type VerificationState = (typeof STATES)[number];

/** What moves the verification of an account or a person. */
export type VerificationEvent =
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

interface Context {
  waived: boolean;
}

const machineSetup = setup({
  types: {
    context: {} as Context,
    events: {} as VerificationEvent,
    input: {} as Context,
    tags: {} as VerificationStatus,
  },
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

const step = stepsOf(verificationMachine, { states: STATES, effects: ['submit', 'withdraw'] });

type VerificationStep = NonNullable<ReturnType<typeof step>>;

/** Returns the step that an event makes; undefined when the event changes nothing there. */
export function verificationStep(
  { phase: state, waived }: { phase: VerificationState; waived: boolean },
  event: VerificationEvent,
): VerificationStep | undefined {
  return step({ state, context: { waived } }, event);
}

/** What the API calls a state. */
export function statusOfVerification(state: VerificationState): VerificationStatus {
  return statusOf(verificationMachine, { state, context: { waived: false } });
}
