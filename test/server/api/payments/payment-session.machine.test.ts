import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  sessionStep,
  type SessionEvent,
  type SessionPhase,
  type SessionState,
} from '../../../../server/api/payments/payment-session.machine.ts';

const EVENTS: Record<string, SessionEvent> = {
  identify: { type: 'identification.required' },
  challenge: { type: 'challenge.required' },
  approve: { type: 'payment.approved' },
  decline: { type: 'payment.declined' },
  change: { type: 'amount.changed' },
  capture: { type: 'amount.captured', amountMinor: 100, final: true },
  void: { type: 'payment.voided' },
  refund: { type: 'amount.refunded', amountMinor: 100 },
  expireHold: { type: 'hold.expired' },
  expire: { type: 'session.expired' },
};

function stateOf(phase: SessionPhase, change: Partial<SessionState> = {}): SessionState {
  const capturedMinor = phase === 'captured' ? 100 : 0;
  return { phase, amountMinor: 100, capturedMinor, refundedMinor: 0, verifyAccount: false, ...change };
}

/** A step with the state that it leads to. */
function stepped(before: SessionState, event: SessionEvent) {
  const step = sessionStep(before, event);
  return step && { status: step.status, phase: step.state, ...step.context };
}

const OPEN = {
  identify: 'identifying',
  challenge: 'challenging',
  approve: 'approved',
  decline: 'awaitingPayment',
  expire: 'expired',
};

const TABLE: Record<SessionPhase, Record<string, SessionPhase>> = {
  awaitingPayment: OPEN as Record<string, SessionPhase>,
  identifying: { ...OPEN, change: 'awaitingPayment' } as Record<string, SessionPhase>,
  challenging: { ...OPEN, change: 'awaitingPayment' } as Record<string, SessionPhase>,
  approved: { capture: 'captured', void: 'voided', expireHold: 'voided' },
  captured: { refund: 'captured' },
  voided: {},
  expired: {},
};

test.each(Object.keys(TABLE) as SessionPhase[])(
  'payment session machine: from %s takes the listed events only',
  { tags: ['spec:3/session-transitions'] },
  (phase) => {
    const found = Object.entries(EVENTS).flatMap(([name, event]) => {
      const step = stepped(stateOf(phase), event);
      return step ? [[name, step.phase]] : [];
    });
    expect(Object.fromEntries(found)).toEqual(TABLE[phase]);
  },
);

test(
  'payment session machine: every state has one status of the API',
  { tags: ['spec:3/session-status'] },
  () => {
    const statuses = Object.entries(EVENTS).flatMap(([, event]) =>
      (['awaitingPayment', 'approved'] as const).flatMap((phase) => {
        const step = stepped(stateOf(phase), event);
        return step ? [`${step.phase} ${step.status}`] : [];
      }),
    );
    expect([...new Set(statuses)].sort()).toEqual([
      'approved Approved',
      'awaitingPayment PendingPayment',
      'captured Captured',
      'challenging PendingAction',
      'expired PendingPayment',
      'identifying PendingAction',
      'voided Voided',
    ]);
  },
);

test('payment session machine: a capture that is not final keeps the rest approved, unless nothing is left', () => {
  const part: SessionEvent = { type: 'amount.captured', amountMinor: 40, final: false };
  expect(stepped(stateOf('approved'), part)).toMatchObject({ phase: 'approved', capturedMinor: 40 });
  const rest = stateOf('approved', { capturedMinor: 60 });
  expect(stepped(rest, part)).toMatchObject({ phase: 'captured', capturedMinor: 100 });
  expect(stepped(rest, EVENTS['void']!)).toBeUndefined();
  expect(stepped(rest, EVENTS['expireHold']!)).toMatchObject({ phase: 'captured', capturedMinor: 60 });
});

test('payment session machine: a verification has nothing to capture', () => {
  const verified = stateOf('approved', { verifyAccount: true, amountMinor: 0 });
  for (const amountMinor of [0, 1])
    expect(stepped(verified, { type: 'amount.captured', amountMinor, final: true })).toBeUndefined();
  expect(stepped(verified, EVENTS['void']!)).toMatchObject({ phase: 'voided' });
});

const amounts = fc.integer({ min: -10, max: 120 });
const events = fc.oneof(
  fc.constantFrom(...Object.values(EVENTS)),
  fc.record({ type: fc.constant('amount.captured' as const), amountMinor: amounts, final: fc.boolean() }),
  fc.record({ type: fc.constant('amount.refunded' as const), amountMinor: amounts }),
);

test('payment session machine: after any events, captured is at most requested and refunded at most captured', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 12 }), (happened) => {
      let now = stateOf('awaitingPayment');
      for (const event of [EVENTS['approve']!, ...happened]) {
        const step = stepped(now, event);
        if (!step) continue;
        expect(step.capturedMinor).toBeGreaterThanOrEqual(now.capturedMinor);
        expect(step.refundedMinor).toBeGreaterThanOrEqual(now.refundedMinor);
        now = { ...now, ...step };
        expect(now.capturedMinor).toBeLessThanOrEqual(now.amountMinor);
        expect(now.refundedMinor).toBeLessThanOrEqual(now.capturedMinor);
        if (now.phase === 'voided') expect(now.capturedMinor).toBe(0);
      }
    }),
  );
});
