import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  stepOf,
  type SessionFact,
  type SessionPhase,
  type SessionStanding,
} from '../../../../server/api/payments/payment-session.machine.ts';

const FACTS: Record<string, SessionFact> = {
  identify: { type: 'identification.required' },
  challenge: { type: 'challenge.required' },
  approve: { type: 'payment.approved' },
  decline: { type: 'payment.declined' },
  capture: { type: 'amount.captured', amountMinor: 100, final: true },
  void: { type: 'payment.voided' },
  refund: { type: 'amount.refunded', amountMinor: 100 },
  lapse: { type: 'hold.lapsed' },
  expire: { type: 'lifetime.passed' },
};

function standing(phase: SessionPhase, change: Partial<SessionStanding> = {}): SessionStanding {
  const capturedMinor = phase === 'captured' ? 100 : 0;
  return { phase, amountMinor: 100, capturedMinor, refundedMinor: 0, verifyAccount: false, ...change };
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
  identifying: OPEN as Record<string, SessionPhase>,
  challenging: OPEN as Record<string, SessionPhase>,
  approved: { capture: 'captured', void: 'voided', lapse: 'voided' },
  captured: { refund: 'captured' },
  voided: {},
  expired: {},
};

test.each(Object.keys(TABLE) as SessionPhase[])(
  'payment session machine: from %s takes the listed events only',
  { tags: ['spec:3/session-transitions'] },
  (phase) => {
    const found = Object.entries(FACTS).flatMap(([name, fact]) => {
      const step = stepOf(standing(phase), fact);
      return step ? [[name, step.phase]] : [];
    });
    expect(Object.fromEntries(found)).toEqual(TABLE[phase]);
  },
);

test(
  'payment session machine: every state has one status of the API',
  { tags: ['spec:3/session-status'] },
  () => {
    const statuses = Object.entries(FACTS).flatMap(([, fact]) =>
      (['awaitingPayment', 'approved'] as const).flatMap((phase) => {
        const step = stepOf(standing(phase), fact);
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
  const part: SessionFact = { type: 'amount.captured', amountMinor: 40, final: false };
  expect(stepOf(standing('approved'), part)).toMatchObject({ phase: 'approved', capturedMinor: 40 });
  const rest = standing('approved', { capturedMinor: 60 });
  expect(stepOf(rest, part)).toMatchObject({ phase: 'captured', capturedMinor: 100 });
  expect(stepOf(rest, FACTS['void']!)).toBeUndefined();
  expect(stepOf(rest, FACTS['lapse']!)).toMatchObject({ phase: 'captured', capturedMinor: 60 });
});

test('payment session machine: a verification has nothing to capture', () => {
  const verified = standing('approved', { verifyAccount: true, amountMinor: 0 });
  for (const amountMinor of [0, 1])
    expect(stepOf(verified, { type: 'amount.captured', amountMinor, final: true })).toBeUndefined();
  expect(stepOf(verified, FACTS['void']!)).toMatchObject({ phase: 'voided' });
});

const amounts = fc.integer({ min: -10, max: 120 });
const facts = fc.oneof(
  fc.constantFrom(...Object.values(FACTS)),
  fc.record({ type: fc.constant('amount.captured' as const), amountMinor: amounts, final: fc.boolean() }),
  fc.record({ type: fc.constant('amount.refunded' as const), amountMinor: amounts }),
);

test('payment session machine: after any events, captured is at most requested and refunded at most captured', () => {
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 12 }), (happened) => {
      let now = standing('awaitingPayment');
      for (const fact of [FACTS['approve']!, ...happened]) {
        const step = stepOf(now, fact);
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
