import type { RequestStep, Step, TriggerPath, AdvanceStep, WaitStep } from './trigger-path.ts';
import { PAYMENT } from './payment-paths.ts';

/** Creates a customer with an email address that no other has. */
const CUSTOMER: RequestStep = {
  name: 'customer',
  request: 'POST /v1/customers',
  body: { email: 'customer-{unique}@example.com', firstName: 'Sam', lastName: 'Reid' },
};

const ofCustomer = (...steps: Step[]): TriggerPath => ({ main: 'customer', steps: [CUSTOMER, ...steps] });

/** How each event of a customer comes about. */
export const CUSTOMER_PATHS = {
  'Customer.created': ofCustomer(),
  'Customer.updated': ofCustomer({
    name: 'update',
    request: 'PATCH /v1/customers/{customer.id}',
    body: { firstName: 'Alex' },
  }),
  'Customer.deleted': ofCustomer({ name: 'deletion', request: 'DELETE /v1/customers/{customer.id}' }),
} as const satisfies Record<string, TriggerPath>;

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

const ofSubscription = (...steps: Step[]): TriggerPath => ({
  main: 'subscription',
  steps: [CUSTOMER, ...steps],
});

/** How each event of a subscription comes about. Later cycles are billed when the clock is advanced to them. */
export const SUBSCRIPTION_PATHS = {
  'Subscription.created': ofSubscription(SUBSCRIPTION),
  'Subscription.updated': ofSubscription(SUBSCRIPTION, FIRST_PAYMENT),
  'Subscription.paused': ofSubscription(SUBSCRIPTION, FIRST_PAYMENT, PAUSE, ACTIVE, NEXT_BILLING),
  'Subscription.resumed': ofSubscription(SUBSCRIPTION, FIRST_PAYMENT, PAUSE, ACTIVE, NEXT_BILLING, PAUSED, {
    name: 'resumption',
    request: 'PATCH /v1/subscriptions/{subscription.id}/resume',
  }),
  'Subscription.cancelled': ofSubscription(SUBSCRIPTION, FIRST_PAYMENT, {
    name: 'cancellation',
    request: 'DELETE /v1/subscriptions/{subscription.id}/cancel',
  }),
  'Subscription.past_due': ofSubscription(SUBSCRIPTION, FIRST_PAYMENT, ACTIVE, CARD_DELETION, NEXT_BILLING),
  'Subscription.ended': ofSubscription(SINGLE_CYCLE, FIRST_PAYMENT),
} as const satisfies Record<string, TriggerPath>;
