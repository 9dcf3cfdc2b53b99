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

const ofSession = (...steps: Step[]): TriggerPath => ({ main: 'session', steps });

/** How each event of a payment session comes about. */
export const PAYMENT_PATHS = {
  'PaymentSession.approved': ofSession(MANUAL_SESSION, PAYMENT),
  'PaymentSession.captured': ofSession(SESSION, PAYMENT),
  'PaymentSession.capture_failed': ofSession(MANUAL_SESSION, PAYMENT, failing('Capture'), CAPTURE),
  'PaymentSession.declined': ofSession(SESSION, paidWith(DECLINED)),
  'PaymentSession.requires_action': ofSession(SESSION, paidWith(cardOf('challenge'))),
  'PaymentSession.voided': ofSession(MANUAL_SESSION, PAYMENT, VOID),
  'PaymentSession.void_failed': ofSession(MANUAL_SESSION, PAYMENT, failing('Void'), VOID),
  'PaymentSession.refunded': ofSession(SESSION, PAYMENT, REFUND),
  'PaymentSession.refund_failed': ofSession(SESSION, PAYMENT, failing('Refund'), REFUND),
} as const satisfies Record<string, TriggerPath>;

const DISPUTE: RequestStep = {
  name: 'dispute',
  request: 'POST /sandbox/payment-sessions/{session.id}/disputes',
  body: {},
};
const EVIDENCE: RequestStep = {
  name: 'evidence',
  request: 'PATCH /v1/disputes/{dispute.id}/evidence',
  body: { text: { uncategorised: 'The customer collected the goods in the shop.' } },
};
const CHALLENGE: RequestStep = { name: 'challenge', request: 'POST /v1/disputes/{dispute.id}/challenge' };
const OUTCOME: RequestStep = {
  name: 'outcome',
  request: 'POST /sandbox/disputes/{dispute.id}/outcome',
  body: { status: 'Won' },
};

const ofDispute = (...steps: Step[]): TriggerPath => ({
  main: 'dispute',
  steps: [SESSION, PAYMENT, DISPUTE, ...steps],
});

/** How each event of a dispute comes about. */
export const DISPUTE_PATHS = {
  'Dispute.created': ofDispute(),
  'Dispute.challenged': ofDispute(EVIDENCE, CHALLENGE),
  'Dispute.closed': ofDispute(EVIDENCE, CHALLENGE, OUTCOME),
} as const satisfies Record<string, TriggerPath>;

/** How the event of terminals comes about. */
export const TERMINAL_PATHS = {
  'Terminal.action_updated': {
    main: 'action',
    about: '{action.action.id}',
    steps: [
      {
        name: 'terminal',
        find: 'GET /sandbox/terminals',
        where: { online: true },
        missing: "no terminal is online: start one with 'tapbench up' or 'tapbench sim'",
      },
      {
        name: 'action',
        request: 'POST /v1/in-person/terminals/{terminal.id}/payment',
        account: '{terminal.accountId}',
        body: { amounts: { requested: 1250 }, currency: 'GBP' },
      },
    ],
  },
} as const satisfies Record<string, TriggerPath>;
