import { assign, setup } from 'xstate';
import { stepsOf, type StableState } from '../../../protocol/machine-step.ts';
import type { EventType } from '../webhooks/event-types.ts';

/** Events from the clock, the payments and the API. */
export type SubscriptionEvent =
  | { type: 'cycle.due' }
  | { type: 'retry.due' }
  | { type: 'payment.succeeded' }
  | { type: 'payment.failed'; code: string }
  | { type: 'card.verified' }
  | { type: 'pause.requested' }
  | { type: 'pause.cancelled' }
  | { type: 'resume.requested' }
  | { type: 'resumeTime.reached' }
  | { type: 'subscription.cancelled' };

export type SubscriptionEventType = Extract<EventType, `Subscription.${string}`>;

export const SUBSCRIPTION_STATUSES = [
  'Pending',
  'Active',
  'PastDue',
  'Paused',
  'Cancelled',
  'Ended',
] as const;
type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The last error of a cycle that was not paid because there is no card to charge. */
export const NO_CARD = 'payment_method_missing';

export interface SubscriptionContext {
  hasCard: boolean;
  /** Cycles begun, including the current one. */
  cycle: number;
  /** The total number of cycles; null for unlimited. */
  cycles: number | null;
  priceMinor: number;
  balanceMinor: number;
  /** Declined charges of this cycle. */
  paymentAttempts: number;
  lastError: string | null;
}

const machineSetup = setup({
  types: {
    context: {} as SubscriptionContext,
    events: {} as SubscriptionEvent,
    input: {} as SubscriptionContext,
    tags: {} as SubscriptionStatus,
  },
  guards: {
    hasCard: ({ context }) => context.hasCard,
    // The payment that a front end makes begins the first cycle, which may be the only one.
    wasLastCycle: ({ context }) => context.cycles !== null && Math.max(1, context.cycle) >= context.cycles,
  },
  // `charge` charges the stored card the amount due or the new cycle; its result is the next event. `requestPayment`
  // opens a session for the front end to pay, since there is no card to charge. `scheduleNextCycle` sets the next billing
  // time after a pause. `raise` raises an event of the API.
  actions: {
    charge: () => {},
    requestPayment: () => {},
    scheduleNextCycle: () => {},
    raise: (_args, _params: { event: SubscriptionEventType }) => {},
    beginCycle: assign({ cycle: ({ context }) => context.cycle + 1 }),
    clearBalance: assign({ balanceMinor: 0, paymentAttempts: 0, lastError: null }),
    setBalanceToPrice: assign({ balanceMinor: ({ context }) => context.priceMinor }),
    recordFailure: assign({
      paymentAttempts: ({ context }) => context.paymentAttempts + 1,
      lastError: ({ event }) => (event.type === 'payment.failed' ? event.code : NO_CARD),
    }),
  },
});

const raise = (event: SubscriptionEventType) => ({ type: 'raise', params: { event } }) as const;
const updated = raise('Subscription.updated');

const cancellable = {
  'subscription.cancelled': { target: 'cancelled', actions: raise('Subscription.cancelled') },
} as const;

const paid = [
  { guard: 'wasLastCycle', target: 'ended', actions: ['clearBalance', raise('Subscription.ended')] },
  { target: 'active', actions: ['clearBalance', updated] },
] as const;

const notPaid = ['recordFailure', raise('Subscription.past_due')] as const;

const resumed = { target: 'active', actions: ['scheduleNextCycle', raise('Subscription.resumed')] } as const;

/**
 * The lifecycle of a subscription (Spec §3). A charge has a result at once, so the machine enters and leaves `billing`
 * within one transaction. No further cycle begins while a payment is past due.
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
          { actions: ['requestPayment', updated] },
        ],
        'payment.succeeded': [
          {
            guard: 'wasLastCycle',
            target: 'ended',
            actions: ['beginCycle', 'clearBalance', raise('Subscription.ended')],
          },
          { target: 'active', actions: ['beginCycle', 'clearBalance', updated] },
        ],
        'card.verified': { target: 'active', actions: updated },
      },
    },
    billing: {
      tags: 'Active',
      on: {
        'payment.succeeded': paid,
        'payment.failed': { target: 'pastDue', actions: ['setBalanceToPrice', ...notPaid] },
      },
    },
    active: {
      tags: 'Active',
      on: {
        ...cancellable,
        'cycle.due': [
          { guard: 'hasCard', target: 'billing', actions: ['beginCycle', 'charge'] },
          { target: 'pastDue', actions: ['beginCycle', 'setBalanceToPrice', 'requestPayment', ...notPaid] },
        ],
        'pause.requested': { target: 'pauseScheduled', actions: updated },
      },
    },
    pauseScheduled: {
      tags: 'Active',
      on: {
        ...cancellable,
        'cycle.due': { target: 'paused', actions: [raise('Subscription.paused'), updated] },
        'pause.requested': { actions: updated },
        'pause.cancelled': { target: 'active', actions: updated },
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

export type SubscriptionState = StableState<typeof subscriptionMachine>;

const step = stepsOf(subscriptionMachine, {
  effects: ['charge', 'requestPayment', 'scheduleNextCycle', 'raise'],
});

export type SubscriptionStep = NonNullable<ReturnType<typeof step>>;

/** Returns the step that an event makes; undefined when the event changes nothing there. */
export function subscriptionStep(
  state: SubscriptionState,
  context: SubscriptionContext,
  event: SubscriptionEvent,
): SubscriptionStep | undefined {
  return step({ state, context }, event);
}

/** Returns whether a step has this effect. */
export function hasEffect(
  { effects }: SubscriptionStep,
  type: SubscriptionStep['effects'][number]['type'],
): boolean {
  return effects.some((effect) => effect.type === type);
}

/** The events of the API that a step raises, in order. */
export function raisedEventsOf({ effects }: SubscriptionStep): SubscriptionEventType[] {
  return effects.flatMap((effect) => (effect.type === 'raise' ? [effect.params.event] : []));
}
