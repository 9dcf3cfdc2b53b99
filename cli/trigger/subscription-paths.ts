import { CUSTOMER } from './customer-paths.ts';
import { PAYMENT } from './payment-paths.ts';
import type { AdvanceStep, RequestStep, Step, TriggerPath, WaitStep } from './trigger-path.ts';

const SUBSCRIPTION = {
  name: 'subscription',
  request: 'POST /v1/subscriptions',
  body: {
    customer: { id: '{customer.id}' },
    price: { amount: 1500, currency: 'GBP', interval: { unit: 'Days', count: 1 } },
  },
} satisfies RequestStep;

const { price } = SUBSCRIPTION.body;
const SINGLE_CYCLE: RequestStep = {
  ...SUBSCRIPTION,
  body: { ...SUBSCRIPTION.body, price: { ...price, interval: { ...price.interval, times: 1 } } },
};

const FIRST_PAYMENT: RequestStep = {
  ...PAYMENT,
  body: { ...PAYMENT.body, clientSecret: '{subscription.paymentSessions.initial.clientSecret}' },
};

const PAUSE: RequestStep = {
  name: 'pause',
  request: 'PATCH /v1/subscriptions/{subscription.id}/pause',
  body: {},
};
const ACTIVE: RequestStep = { name: 'active', request: 'GET /v1/subscriptions/{subscription.id}' };
const NEXT_BILLING: AdvanceStep = {
  name: 'nextBilling',
  advanceTo: '{active.billingDetail.nextBillingTimestamp}',
};
const PAUSED: WaitStep = {
  name: 'paused',
  wait: 'GET /v1/subscriptions/{subscription.id}',
  until: { status: 'Paused' },
};

const CARD_DELETION: RequestStep = {
  name: 'cardDeletion',
  request: 'DELETE /v1/payment-methods/{active.paymentMethod.id}',
};

const path = (...steps: Step[]): TriggerPath => ({
  main: 'subscription',
  steps: [CUSTOMER, ...steps],
});

/** How each event of a subscription comes about. Later cycles are billed when the clock is advanced to them. */
export const SUBSCRIPTION_PATHS = {
  'Subscription.created': path(SUBSCRIPTION),
  'Subscription.updated': path(SUBSCRIPTION, FIRST_PAYMENT),
  'Subscription.paused': path(SUBSCRIPTION, FIRST_PAYMENT, PAUSE, ACTIVE, NEXT_BILLING),
  'Subscription.resumed': path(SUBSCRIPTION, FIRST_PAYMENT, PAUSE, ACTIVE, NEXT_BILLING, PAUSED, {
    name: 'resumption',
    request: 'PATCH /v1/subscriptions/{subscription.id}/resume',
  }),
  'Subscription.cancelled': path(SUBSCRIPTION, FIRST_PAYMENT, {
    name: 'cancellation',
    request: 'DELETE /v1/subscriptions/{subscription.id}/cancel',
  }),
  'Subscription.past_due': path(SUBSCRIPTION, FIRST_PAYMENT, ACTIVE, CARD_DELETION, NEXT_BILLING),
  'Subscription.ended': path(SINGLE_CYCLE, FIRST_PAYMENT),
} as const satisfies Record<string, TriggerPath>;
