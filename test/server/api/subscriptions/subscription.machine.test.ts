import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NO_CARD,
  raisedEventsOf,
  SUBSCRIPTION_STATUSES,
  subscriptionMachine,
  subscriptionStep,
  type SubscriptionContext,
  type SubscriptionEvent,
  type SubscriptionState,
} from '../../../../server/api/subscriptions/subscription.machine.ts';

const EVENTS: SubscriptionEvent[] = [
  { type: 'cycle.due' },
  { type: 'retry.due' },
  { type: 'payment.succeeded' },
  { type: 'payment.failed', code: 'insufficient_funds' },
  { type: 'card.verified' },
  { type: 'pause.requested' },
  { type: 'pause.cancelled' },
  { type: 'resume.requested' },
  { type: 'resumeTime.reached' },
  { type: 'subscription.cancelled' },
];

/** An endless subscription with a card, as it stands in a phase. */
function context(phase: SubscriptionState, change: Partial<SubscriptionContext> = {}): SubscriptionContext {
  const owes = phase === 'pastDue';
  return {
    hasCard: true,
    cycle: phase === 'pending' ? 0 : 3,
    cycles: null,
    priceMinor: 900,
    balanceMinor: owes ? 800 : 0,
    paymentAttempts: owes ? 1 : 0,
    lastError: owes ? 'issuer_decline' : null,
    ...change,
  };
}

/** The next phase, what is to be done, and the events without their common first word. */
/** A step with its context, the names of its effects, and the events that it raises. */
function stepped(state: SubscriptionState, before: SubscriptionContext, event: SubscriptionEvent) {
  const step = subscriptionStep(state, before, event);
  if (!step) return undefined;
  const effects = step.effects.map(({ type }) => type).filter((type) => type !== 'raise');
  return { ...step, ...step.context, effects, events: raisedEventsOf(step) };
}

function seen(phase: SubscriptionState, event: SubscriptionEvent, change: Partial<SubscriptionContext> = {}) {
  const step = stepped(phase, context(phase, change), event);
  return step && [step.state, ...step.effects, ...step.events.map((name) => name.split('.')[1])].join(' ');
}

/** What every event does in every phase, or nothing. */
const TABLE: Record<SubscriptionState, Partial<Record<SubscriptionEvent['type'], string>>> = {
  pending: {
    'cycle.due': 'billing charge',
    'payment.succeeded': 'active updated',
    'card.verified': 'active updated',
    'subscription.cancelled': 'cancelled cancelled',
  },
  billing: {
    'payment.succeeded': 'active updated',
    'payment.failed': 'pastDue past_due',
  },
  active: {
    'cycle.due': 'billing charge',
    'pause.requested': 'pauseScheduled updated',
    'subscription.cancelled': 'cancelled cancelled',
  },
  pauseScheduled: {
    'cycle.due': 'paused paused updated',
    'pause.requested': 'pauseScheduled updated',
    'pause.cancelled': 'active updated',
    'resumeTime.reached': 'active updated',
    'subscription.cancelled': 'cancelled cancelled',
  },
  pastDue: {
    'retry.due': 'pastDue charge',
    'payment.succeeded': 'active updated',
    'payment.failed': 'pastDue past_due',
    'subscription.cancelled': 'cancelled cancelled',
  },
  paused: {
    'pause.requested': 'paused updated',
    'resume.requested': 'active scheduleNextCycle resumed',
    'resumeTime.reached': 'active scheduleNextCycle resumed',
    'subscription.cancelled': 'cancelled cancelled',
  },
  cancelled: {},
  ended: {},
};

describe.each(Object.keys(TABLE) as SubscriptionState[])('subscription machine: %s', (phase) => {
  test.each(EVENTS)('$type', (event) => {
    expect(seen(phase, event)).toBe(TABLE[phase][event.type]);
  });
});

test('subscription machine: the table has the states of the machine', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(Object.keys(subscriptionMachine.states).toSorted());
});

test('subscription machine: every state has exactly one status of the API, and every status a state', () => {
  const tags = Object.values(subscriptionMachine.states).map((state) => state.tags);
  for (const one of tags) expect(one).toHaveLength(1);
  expect(new Set(tags.flat())).toEqual(new Set(SUBSCRIPTION_STATUSES));
});

describe('subscription machine: without a card', () => {
  const none = { hasCard: false };

  test('a new subscription asks the front end for its first payment', () => {
    expect(seen('pending', { type: 'cycle.due' }, none)).toBe('pending requestPayment updated');
    expect(stepped('pending', context('pending', none), { type: 'cycle.due' })!.cycle).toBe(0);
  });

  test('an active subscription becomes past due, and asks the front end', () => {
    expect(seen('active', { type: 'cycle.due' }, none)).toBe('pastDue requestPayment past_due');
    const step = stepped('active', context('active', none), { type: 'cycle.due' });
    expect(step).toMatchObject({ cycle: 4, balanceMinor: 900, paymentAttempts: 1, lastError: NO_CARD });
  });

  test('nothing is retried', () => {
    expect(seen('pastDue', { type: 'retry.due' }, none)).toBe('pastDue past_due');
    const step = stepped('pastDue', context('pastDue', none), { type: 'retry.due' });
    expect(step).toMatchObject({ paymentAttempts: 2, lastError: NO_CARD, balanceMinor: 800 });
  });
});

describe('subscription machine: the last cycle', () => {
  const last = { cycle: 3, cycles: 3 };

  test.each(['billing', 'pastDue'] as const)('ends the subscription when it is paid in %s', (phase) => {
    expect(seen(phase, { type: 'payment.succeeded' }, last)).toBe('ended ended');
  });

  test('stays due when it is not paid', () => {
    expect(seen('billing', { type: 'payment.failed', code: 'declined' }, last)).toBe('pastDue past_due');
  });

  test('may be the first, paid by the front end', () => {
    expect(seen('pending', { type: 'payment.succeeded' }, { cycles: 1 })).toBe('ended ended');
    expect(seen('pending', { type: 'payment.succeeded' }, { cycles: 2 })).toBe('active updated');
  });

  test('an earlier cycle does not end the subscription', () => {
    expect(seen('billing', { type: 'payment.succeeded' }, { cycle: 2, cycles: 3 })).toBe('active updated');
  });
});

test('subscription machine: a cycle counts from its charge, at the price of that time', () => {
  const due = stepped('active', context('active'), { type: 'cycle.due' })!;
  expect(due).toMatchObject({ cycle: 4, balanceMinor: 0, status: 'Active' });
  const failed = stepped('billing', context('billing', { cycle: 4 }), { type: 'payment.failed', code: 'x' })!;
  expect(failed).toMatchObject({ cycle: 4, balanceMinor: 900, paymentAttempts: 1, lastError: 'x' });
});

test('subscription machine: the balance due stays when the price changes, and is cleared when it is paid', () => {
  const again = stepped('pastDue', context('pastDue'), { type: 'payment.failed', code: 'limit_exceeded' })!;
  expect(again).toMatchObject({ balanceMinor: 800, paymentAttempts: 2, lastError: 'limit_exceeded' });
  const paid = stepped('pastDue', context('pastDue'), { type: 'payment.succeeded' })!;
  expect(paid).toMatchObject({ status: 'Active', balanceMinor: 0, paymentAttempts: 0, lastError: null });
});

test('subscription machine: after any events a balance is due only when past due, and no cycle starts after the last', () => {
  const events = fc.array(fc.tuple(fc.constantFrom(...EVENTS), fc.boolean()), { maxLength: 60 });
  const cycles = fc.option(fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(events, cycles, (inputs, total) => {
      let phase: SubscriptionState = 'pending';
      let now = context('pending', { cycles: total });
      let charges = 0;
      for (const [event, hasCard] of inputs) {
        const step = stepped(phase, { ...now, hasCard }, event);
        if (!step) continue;
        expect(['cancelled', 'ended']).not.toContain(phase);
        expect(step.cycle - now.cycle).toBeOneOf([0, 1]);
        if (step.effects.includes('charge')) {
          expect(hasCard).toBe(true);
          charges += 1;
        }
        const { cycle, balanceMinor, paymentAttempts, lastError } = step;
        now = { ...now, cycle, balanceMinor, paymentAttempts, lastError };
        phase = step.state;
        const fallenBehind = phase === 'pastDue' || (phase === 'cancelled' && balanceMinor > 0);
        expect([phase, balanceMinor > 0]).toEqual([phase, fallenBehind]);
        expect([phase, lastError !== null]).toEqual([phase, fallenBehind]);
        expect(cycle).toBeLessThanOrEqual(total ?? Number.POSITIVE_INFINITY);
      }
      expect(charges).toBeLessThanOrEqual(inputs.length);
    }),
    { numRuns: 300 },
  );
});
