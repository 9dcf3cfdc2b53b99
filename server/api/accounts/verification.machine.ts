import { assign, setup } from 'xstate';
import { statusOf, stepsOf, type StableState } from '../../../protocol/machine-step.ts';
import type { VerificationStatus } from './verification.schema.ts';

/** Events of the verification of an account or a person. */
export type VerificationEvent =
  /** Verification is required now: a business, a director, an individual paid out above the threshold. */
  | { type: 'requirement.added' }
  | { type: 'requirement.removed' }
  /** A required field, document or person is missing. */
  | { type: 'details.missing' }
  /** Nothing is missing; `unchecked` when some document has not been checked. */
  | { type: 'details.completed'; unchecked: boolean }
  | { type: 'check.passed' }
  | { type: 'check.failed' }
  /** Verified although something may be missing (a sandbox control). */
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
    isUnchecked: ({ event }) => event.type === 'details.completed' && event.unchecked,
  },
  actions: {
    submit: () => {},
    withdraw: () => {},
    waive: assign({ waived: true }),
    clearWaiver: assign({ waived: false }),
  },
});

const waivable = { 'check.waived': { target: 'verified', actions: 'waive' } } as const;
const refusable = { 'check.failed': { target: 'required', actions: 'clearWaiver' } } as const;

/**
 * The verification of an account or a person (Spec §2.3, §2.4): submitted automatically when nothing is missing,
 * and required again when a check fails or something is removed.
 */
export const verificationMachine = machineSetup.createMachine({
  id: 'verification',
  initial: 'notRequired',
  context: ({ input }) => input,
  states: {
    notRequired: {
      tags: 'NotRequired',
      on: { ...waivable, ...refusable, 'requirement.added': 'required' },
    },
    required: {
      tags: 'Required',
      on: {
        ...waivable,
        ...refusable,
        'requirement.removed': 'notRequired',
        'details.completed': { target: 'pendingVerification', actions: 'submit' },
      },
    },
    pendingVerification: {
      tags: 'PendingVerification',
      on: {
        'check.waived': { target: 'verified', actions: ['withdraw', 'waive'] },
        'check.failed': { target: 'required', actions: ['withdraw', 'clearWaiver'] },
        'requirement.removed': { target: 'notRequired', actions: 'withdraw' },
        'details.missing': { target: 'required', actions: 'withdraw' },
        'check.passed': { target: 'verified', actions: 'withdraw' },
      },
    },
    verified: {
      tags: 'Verified',
      on: {
        ...waivable,
        ...refusable,
        'details.missing': [{ guard: 'isWaived' }, { target: 'required' }],
        'details.completed': [
          { guard: 'isWaived' },
          { guard: 'isUnchecked', target: 'pendingVerification', actions: 'submit' },
        ],
      },
    },
  },
});

export type VerificationState = StableState<typeof verificationMachine>;

const step = stepsOf(verificationMachine, { effects: ['submit', 'withdraw'] });

type VerificationStep = NonNullable<ReturnType<typeof step>>;

/** Returns the step for an event; undefined when the event does not apply in this state. */
export function verificationStep(
  { phase: state, waived }: { phase: VerificationState; waived: boolean },
  event: VerificationEvent,
): VerificationStep | undefined {
  return step({ state, context: { waived } }, event);
}

/** Returns the API's status for a state. */
export function statusOfVerification(state: VerificationState): VerificationStatus {
  return statusOf(verificationMachine, { state, context: { waived: false } });
}
