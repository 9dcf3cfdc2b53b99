import { assign, setup } from 'xstate';
import { stepsOf, type StableState } from '../../../protocol/machine-step.ts';
import type { PaymentSession } from './payment-session.schema.ts';

/** Events of a payment session, from the API, the issuer, a terminal or a deadline. */
export type SessionEvent =
  | { type: 'identification.required' }
  | { type: 'challenge.required' }
  | { type: 'payment.approved' }
  | { type: 'payment.declined' }
  | { type: 'amount.changed' }
  | { type: 'amount.captured'; amountMinor: number; final: boolean }
  | { type: 'payment.voided' }
  | { type: 'amount.refunded'; amountMinor: number }
  | { type: 'hold.expired' }
  | { type: 'session.expired' };

/** Money of a session, minor units. */
interface SessionMoney {
  amountMinor: number;
  capturedMinor: number;
  refundedMinor: number;
}

interface Context extends SessionMoney {
  /** Verifies the card only; nothing can be captured. */
  verifyAccount: boolean;
}

const machineSetup = setup({
  types: {
    context: {} as Context,
    events: {} as SessionEvent,
    input: {} as Context,
    tags: {} as PaymentSession['status'],
  },
  guards: {
    endsCapture: ({ context, event }) =>
      event.type === 'amount.captured' &&
      mayCapture(context, event.amountMinor) &&
      (event.final || context.capturedMinor + event.amountMinor === context.amountMinor),
    mayCapture: ({ context, event }) =>
      event.type === 'amount.captured' && mayCapture(context, event.amountMinor),
    mayRefund: ({ context, event }) =>
      event.type === 'amount.refunded' &&
      event.amountMinor >= 1 &&
      context.refundedMinor + event.amountMinor <= context.capturedMinor,
    nothingCaptured: ({ context }) => context.capturedMinor === 0,
  },
  actions: {
    addCaptured: assign(({ context, event }) =>
      event.type === 'amount.captured' ? { capturedMinor: context.capturedMinor + event.amountMinor } : {},
    ),
    addRefunded: assign(({ context, event }) =>
      event.type === 'amount.refunded' ? { refundedMinor: context.refundedMinor + event.amountMinor } : {},
    ),
  },
});

function mayCapture({ amountMinor, capturedMinor, verifyAccount }: Context, moreMinor: number): boolean {
  return !verifyAccount && moreMinor >= 1 && capturedMinor + moreMinor <= amountMinor;
}

/** Further attempts, also with another card, are allowed until one is approved (Spec §3). */
const attempt = {
  'identification.required': 'identifying',
  'challenge.required': 'challenging',
  'payment.approved': 'approved',
  'payment.declined': 'awaitingPayment',
  'session.expired': 'expired',
} as const;

/** What the cardholder was shown is no longer what would be taken. */
const shown = { ...attempt, 'amount.changed': 'awaitingPayment' } as const;

/** State machine of a payment session (Spec §3; docs/choices.md, Payment sessions). */
export const paymentSessionMachine = machineSetup.createMachine({
  id: 'paymentSession',
  initial: 'awaitingPayment',
  context: ({ input }) => input,
  states: {
    awaitingPayment: { tags: 'PendingPayment', on: attempt },
    identifying: { tags: 'PendingAction', on: shown },
    challenging: { tags: 'PendingAction', on: shown },
    approved: {
      tags: 'Approved',
      on: {
        'amount.captured': [
          { guard: 'endsCapture', target: 'captured', actions: 'addCaptured' },
          { guard: 'mayCapture', actions: 'addCaptured' },
        ],
        'payment.voided': { guard: 'nothingCaptured', target: 'voided' },
        // The captured part stays captured; the rest is released.
        'hold.expired': [{ guard: 'nothingCaptured', target: 'voided' }, { target: 'captured' }],
      },
    },
    captured: {
      tags: 'Captured',
      on: { 'amount.refunded': { guard: 'mayRefund', actions: 'addRefunded' } },
    },
    voided: { type: 'final', tags: 'Voided' },
    expired: { type: 'final', tags: 'PendingPayment' },
  },
});

/** State and context of a session's machine. */
export interface SessionState extends Context {
  phase: SessionPhase;
}

export type SessionPhase = StableState<typeof paymentSessionMachine>;

const step = stepsOf(paymentSessionMachine, { effects: [] });

type SessionStep = NonNullable<ReturnType<typeof step>>;

/** Returns the step that an event makes; undefined when the event changes nothing there. */
export function sessionStep(
  { phase, ...context }: SessionState,
  event: SessionEvent,
): SessionStep | undefined {
  return step({ state: phase, context }, event);
}
