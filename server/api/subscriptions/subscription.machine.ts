import { assign, setup, transition, type SnapshotFrom } from 'xstate';
import type { EventType } from '../webhooks/event-types.ts';

/** Facts that move a subscription, whoever brings them about. */
export type SubscriptionFact =
  | { type: 'cycle.due' }
  | { type: 'retry.due' }
  | { type: 'payment.succeeded' }
  | { type: 'payment.failed'; code: string }
  | { type: 'card.checked' }
  | { type: 'pause.requested' }
  | { type: 'pause.unscheduled' }
  | { type: 'resume.requested' }
  | { type: 'resumeTime.reached' }
  | { type: 'subscription.cancelled' };

/**
 * What a step asks for besides the new state. `charge` bills the stored card, for what is owed or for the cycle
 * that has begun; its outcome is the next fact. `askForPayment` opens a session for the front end to pay, since
 * there is no card to charge. `restartBilling` sets the next billing moment after a pause.
 */
export type SubscriptionEffect = 'charge' | 'askForPayment' | 'restartBilling';

export type SubscriptionEvent = Extract<EventType, `Subscription.${string}`>;

export const PHASES = [
  'pending',
  'billing',
  'active',
  'pauseScheduled',
  'pastDue',
  'paused',
  'cancelled',
  'ended',
] as const;
export type Phase = (typeof PHASES)[number];

export const SUBSCRIPTION_STATUSES = [
  'Pending',
  'Active',
  'PastDue',
  'Paused',
  'Cancelled',
  'Ended',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Why a cycle is not paid when no card is there to be charged. */
export const NO_CARD = 'payment_method_missing';

export interface SubscriptionContext {
  hasCard: boolean;
  /** Cycles begun, the one under way included. */
  cycle: number;
  /** Cycles in all; null for ever. */
  cycles: number | null;
  priceMinor: number;
  balanceMinor: number;
  /** Charges of this cycle that were refused. */
  paymentAttempts: number;
  lastError: string | null;
}

const machineSetup = setup({
  types: {
    context: {} as SubscriptionContext,
    events: {} as SubscriptionFact,
    input: {} as SubscriptionContext,
    tags: {} as SubscriptionStatus,
  },
  guards: {
    hasCard: ({ context }) => context.hasCard,
    // The payment that a front end makes begins the first cycle, and may be the only one.
    wasLastCycle: ({ context }) => context.cycles !== null && Math.max(1, context.cycle) >= context.cycles,
  },
  actions: {
    charge: () => {},
    askForPayment: () => {},
    restartBilling: () => {},
    announce: (_args, _params: { event: SubscriptionEvent }) => {},
    beginCycle: assign({ cycle: ({ context }) => context.cycle + 1 }),
    settle: assign({ balanceMinor: 0, paymentAttempts: 0, lastError: null }),
    owePrice: assign({ balanceMinor: ({ context }) => context.priceMinor }),
    noteFailure: assign({
      paymentAttempts: ({ context }) => context.paymentAttempts + 1,
      lastError: ({ event }) => (event.type === 'payment.failed' ? event.code : NO_CARD),
    }),
  },
});

const announce = (event: SubscriptionEvent) => ({ type: 'announce', params: { event } }) as const;
const updated = announce('Subscription.updated');

const cancellable = {
  'subscription.cancelled': { target: 'cancelled', actions: announce('Subscription.cancelled') },
} as const;

const paid = [
  { guard: 'wasLastCycle', target: 'ended', actions: ['settle', announce('Subscription.ended')] },
  { target: 'active', actions: ['settle', updated] },
] as const;

const notPaid = ['noteFailure', announce('Subscription.past_due')] as const;

const resumed = { target: 'active', actions: ['restartBilling', announce('Subscription.resumed')] } as const;

/**
 * A subscription from its first payment to its last (Spec §3). A charge is answered at once, so `billing` is
 * passed through within one transaction. While a payment is owed no further cycle begins.
 */
export const subscriptionMachine = machineSetup.createMachine({
  id: 'subscription',
  initial: 'pending',
  context: ({ input }) => input,
  states: {
    pending: {
      tags: 'Pending',
      on: {
        ...cancellable,
        'cycle.due': [
          { guard: 'hasCard', target: 'billing', actions: ['beginCycle', 'charge'] },
          { actions: ['askForPayment', updated] },
        ],
        'payment.succeeded': [
          {
            guard: 'wasLastCycle',
            target: 'ended',
            actions: ['beginCycle', 'settle', announce('Subscription.ended')],
          },
          { target: 'active', actions: ['beginCycle', 'settle', updated] },
        ],
        'card.checked': { target: 'active', actions: updated },
      },
    },
    billing: {
      tags: 'Active',
      on: {
        'payment.succeeded': paid,
        'payment.failed': { target: 'pastDue', actions: ['owePrice', ...notPaid] },
      },
    },
    active: {
      tags: 'Active',
      on: {
        ...cancellable,
        'cycle.due': [
          { guard: 'hasCard', target: 'billing', actions: ['beginCycle', 'charge'] },
          { target: 'pastDue', actions: ['beginCycle', 'owePrice', 'askForPayment', ...notPaid] },
        ],
        'pause.requested': { target: 'pauseScheduled', actions: updated },
      },
    },
    pauseScheduled: {
      tags: 'Active',
      on: {
        ...cancellable,
        'cycle.due': { target: 'paused', actions: [announce('Subscription.paused'), updated] },
        'pause.requested': { actions: updated },
        'pause.unscheduled': { target: 'active', actions: updated },
        'resumeTime.reached': { target: 'active', actions: updated },
      },
    },
    pastDue: {
      tags: 'PastDue',
      on: {
        ...cancellable,
        'retry.due': [{ guard: 'hasCard', actions: 'charge' }, { actions: [...notPaid] }],
        'payment.succeeded': paid,
        'payment.failed': { actions: [...notPaid] },
      },
    },
    paused: {
      tags: 'Paused',
      on: {
        ...cancellable,
        'pause.requested': { actions: updated },
        'resume.requested': resumed,
        'resumeTime.reached': resumed,
      },
    },
    cancelled: { type: 'final', tags: 'Cancelled' },
    ended: { type: 'final', tags: 'Ended' },
  },
});

const EFFECTS: readonly string[] = [
  'charge',
  'askForPayment',
  'restartBilling',
] satisfies SubscriptionEffect[];

export interface SubscriptionStep extends Omit<SubscriptionContext, 'hasCard' | 'cycles' | 'priceMinor'> {
  phase: Phase;
  status: SubscriptionStatus;
  effects: SubscriptionEffect[];
  /** To be recorded in this order. */
  events: SubscriptionEvent[];
}

/** The step that a fact makes from where a subscription stands; undefined when it changes nothing there. */
export function stepOf(
  phase: Phase,
  context: SubscriptionContext,
  fact: SubscriptionFact,
): SubscriptionStep | undefined {
  const before = subscriptionMachine.resolveState({ value: phase, context });
  if (!before.can(fact)) return undefined;
  const [after, actions] = transition(subscriptionMachine, before, fact);
  const { cycle, balanceMinor, paymentAttempts, lastError } = after.context;
  return {
    phase: after.value,
    status: statusOf(after),
    cycle,
    balanceMinor,
    paymentAttempts,
    lastError,
    effects: actions
      .map(({ type }) => type)
      .filter((type): type is SubscriptionEffect => EFFECTS.includes(type)),
    events: actions
      .filter(({ type }) => type === 'announce')
      .map(({ params }) => (params as { event: SubscriptionEvent }).event),
  };
}

function statusOf(snapshot: SnapshotFrom<typeof subscriptionMachine>): SubscriptionStatus {
  const [tag] = snapshot.tags;
  return tag as SubscriptionStatus;
}
