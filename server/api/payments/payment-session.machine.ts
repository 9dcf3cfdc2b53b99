import { assign, setup, transition } from 'xstate';
import type { PaymentSession } from './payment-session.schema.ts';

/** Facts that move a payment session, whoever reports them: a shop, an issuer, a terminal, the clock. */
export type SessionFact =
  | { type: 'identification.required' }
  | { type: 'challenge.required' }
  | { type: 'payment.approved' }
  | { type: 'payment.declined' }
  | { type: 'amount.captured'; amountMinor: number; final: boolean }
  | { type: 'payment.voided' }
  | { type: 'amount.refunded'; amountMinor: number }
  | { type: 'hold.lapsed' }
  | { type: 'lifetime.passed' };

/** Money of a session, minor units. */
export interface SessionMoney {
  amountMinor: number;
  capturedMinor: number;
  refundedMinor: number;
}

interface Context extends SessionMoney {
  /** A card is looked at and no money is asked for, so none can be captured. */
  verifyAccount: boolean;
}

const machineSetup = setup({
  types: { context: {} as Context, events: {} as SessionFact, input: {} as Context },
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

/** An attempt may be made anew, with another card too, as long as none was approved (Spec §3). */
const attempt = {
  'identification.required': 'identifying',
  'challenge.required': 'challenging',
  'payment.approved': 'approved',
  'payment.declined': 'awaitingPayment',
  'lifetime.passed': 'expired',
} as const;

/** A payment, from being asked for to being settled (Spec §3; docs/choices.md, Payment sessions). */
export const paymentSessionMachine = machineSetup.createMachine({
  id: 'paymentSession',
  initial: 'awaitingPayment',
  context: ({ input }) => input,
  states: {
    awaitingPayment: { tags: 'PendingPayment', on: attempt },
    identifying: { tags: 'PendingAction', on: attempt },
    challenging: { tags: 'PendingAction', on: attempt },
    approved: {
      tags: 'Approved',
      on: {
        'amount.captured': [
          { guard: 'endsCapture', target: 'captured', actions: 'addCaptured' },
          { guard: 'mayCapture', actions: 'addCaptured' },
        ],
        'payment.voided': { guard: 'nothingCaptured', target: 'voided' },
        // What was captured of it stays captured, and the rest is let go.
        'hold.lapsed': [{ guard: 'nothingCaptured', target: 'voided' }, { target: 'captured' }],
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

export type SessionPhase =
  'awaitingPayment' | 'identifying' | 'challenging' | 'approved' | 'captured' | 'voided' | 'expired';

/** Where a session stands, as the machine needs to know it. */
export interface SessionStanding extends SessionMoney {
  phase: SessionPhase;
  verifyAccount: boolean;
}

export interface SessionStep {
  phase: SessionPhase;
  status: PaymentSession['status'];
  capturedMinor: number;
  refundedMinor: number;
}

/** The step that a fact makes from where a session stands; undefined when the fact cannot be there. */
export function stepOf({ phase, ...context }: SessionStanding, fact: SessionFact): SessionStep | undefined {
  const before = paymentSessionMachine.resolveState({ value: phase, context });
  if (!before.can(fact)) return undefined;
  const [after] = transition(paymentSessionMachine, before, fact);
  const [status] = after.tags;
  return {
    phase: after.value,
    status: status as PaymentSession['status'],
    capturedMinor: after.context.capturedMinor,
    refundedMinor: after.context.refundedMinor,
  };
}
