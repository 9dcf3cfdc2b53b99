import { numberWith, ONLINE_DECLINES } from '../../protocol/test-cards.ts';
import type { RequestStep, Step, TriggerPath } from './trigger-path.ts';

const EXPIRY = { expiryMonth: '12', expiryYear: '2040' };

function cardOf(authentication: 'frictionless' | 'challenge') {
  return { number: numberWith(authentication), ...EXPIRY, cvc: '123' };
}

const DECLINED = { number: ONLINE_DECLINES[0]!.number, ...EXPIRY, cvc: ONLINE_DECLINES[0]!.cvc };

/** Creates a payment session. */
export const SESSION: RequestStep = {
  name: 'session',
  request: 'POST /v1/payment-sessions',
  body: { amount: 1250, currency: 'GBP', customerEmail: 'customer@example.com' },
};

const MANUAL_SESSION: RequestStep = { ...SESSION, body: { ...SESSION.body, captureFlow: 'Manual' } };

/** Pays a session with a card that is approved. */
export const PAYMENT: RequestStep = {
  name: 'payment',
  request: 'POST /v1/payment-sessions/attempt-payment',
  body: { clientSecret: '{session.clientSecret}', cardDetails: cardOf('frictionless') },
};

const paidWith = (cardDetails: typeof DECLINED): RequestStep => ({
  ...PAYMENT,
  body: { ...PAYMENT.body, cardDetails },
});

const moved = (name: string, what: 'captures' | 'voids' | 'refunds'): RequestStep => ({
  name,
  request: `POST /v1/payment-sessions/{session.id}/${what}`,
});
const CAPTURE = moved('capture', 'captures');
const VOID = moved('void', 'voids');
const REFUND = moved('refund', 'refunds');

const failing = (type: 'Capture' | 'Void' | 'Refund'): RequestStep => ({
  name: 'failure',
  request: 'POST /sandbox/payment-sessions/{session.id}/fail-next',
  body: { type },
});

const path = (...steps: Step[]): TriggerPath => ({ main: 'session', steps });

/** How each event of a payment session comes about. */
export const PAYMENT_PATHS = {
  'PaymentSession.approved': path(MANUAL_SESSION, PAYMENT),
  'PaymentSession.captured': path(SESSION, PAYMENT),
  'PaymentSession.capture_failed': path(MANUAL_SESSION, PAYMENT, failing('Capture'), CAPTURE),
  'PaymentSession.declined': path(SESSION, paidWith(DECLINED)),
  'PaymentSession.requires_action': path(SESSION, paidWith(cardOf('challenge'))),
  'PaymentSession.voided': path(MANUAL_SESSION, PAYMENT, VOID),
  'PaymentSession.void_failed': path(MANUAL_SESSION, PAYMENT, failing('Void'), VOID),
  'PaymentSession.refunded': path(SESSION, PAYMENT, REFUND),
  'PaymentSession.refund_failed': path(SESSION, PAYMENT, failing('Refund'), REFUND),
} as const satisfies Record<string, TriggerPath>;
