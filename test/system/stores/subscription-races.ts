import { customerRoutes } from '../../../server/api/customers/customer.resource.ts';
import { paymentMethodRoutes } from '../../../server/api/customers/payment-method.resource.ts';
import { attemptRoutes } from '../../../server/api/payments/attempt.resource.ts';
import { paymentSessionRoutes } from '../../../server/api/payments/payment-session.resource.ts';
import { registerBilling } from '../../../server/api/subscriptions/billing.ts';
import { subscriptionRoutes } from '../../../server/api/subscriptions/subscription.resource.ts';
import type { Contender, Rows } from './interleavings.ts';
import { CARD } from './payment-races.ts';
import { openRacingServer, type RacingServer } from './racing-server.ts';
import { racesOf } from './request-races.ts';

const ROUTES = [
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...attemptRoutes,
  ...paymentSessionRoutes,
  ...subscriptionRoutes,
];

const TABLES = [
  'customers',
  'payment_methods',
  'subscriptions',
  'subscription_sessions',
  'payment_sessions',
  'payment_transactions',
  'balances',
  'balance_transactions',
  'postings',
  'events',
  'deliveries',
];

const PRICE = { amount: 1_500, currency: 'GBP', interval: { unit: 'Months', count: 1 } };

/** Subscriptions whose requests race each other. */
interface RacingSubscriptions extends Rows {
  request: RacingServer['request'];
  /** A customer with a stored card and a subscription that waits for its first payment. */
  customerId: string;
  cardId: string;
  pendingId: string;
  clientSecret: string;
  /** A customer with two stored cards and a subscription that is paid with the first. */
  subscriberId: string;
  paidId: string;
  paidCardId: string;
  otherCardId: string;
}

async function openRacingSubscriptions(url: string): Promise<RacingSubscriptions> {
  const { services, made, request, keep } = await openRacingServer(url, ROUTES);
  registerBilling(services);

  async function storedCard(customerId: string): Promise<string> {
    const terms = { amount: 1_000, currency: 'GBP', customerId };
    const { clientSecret } = await made('/v1/payment-sessions', terms);
    const stored = { clientSecret, cardDetails: CARD, paymentMethodOptions: { store: true } };
    const { paymentMethod } = await made('/v1/payment-sessions/attempt-payment', stored);
    return paymentMethod.tokenizedDetails.id;
  }

  const { id: customerId } = await made('/v1/customers', { email: 'ana@corner.example' });
  const cardId = await storedCard(customerId);
  const pending = await made('/v1/subscriptions', { customer: { id: customerId }, price: PRICE });
  const { id: subscriberId } = await made('/v1/customers', { email: 'bo@corner.example' });
  const [paidCardId, otherCardId] = [await storedCard(subscriberId), await storedCard(subscriberId)];
  const bought = { customer: { id: subscriberId }, paymentMethod: { id: paidCardId }, price: PRICE };
  const { id: paidId } = await made('/v1/subscriptions', bought);
  return {
    request,
    customerId,
    cardId,
    pendingId: pending.id,
    clientSecret: pending.paymentSessions.initial.clientSecret,
    subscriberId,
    paidId,
    paidCardId,
    otherCardId,
    prepare: await keep(TABLES),
    async state(queries) {
      const all = (sql: string) => queries.all(sql);
      return {
        customers: await all(
          'SELECT email, first_name, deleted, default_payment_method_id FROM customers ORDER BY seq',
        ),
        cards: await all('SELECT stored, deleted, customer_id FROM payment_methods ORDER BY seq'),
        subscriptions: await all(
          'SELECT status, phase, cycle, price_minor, description, metadata, payment_attempts FROM subscriptions ORDER BY seq',
        ),
        sessions: await all('SELECT status, amount_minor, captured_minor FROM payment_sessions ORDER BY seq'),
        events: await all('SELECT event_type FROM events ORDER BY event_type'),
      };
    },
  };
}

const REQUESTS = {
  'first payment': ({ request, clientSecret }) =>
    request('POST /v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: CARD }),
  'cancellation before the first payment': ({ request, pendingId }) =>
    request(`DELETE /v1/subscriptions/${pendingId}`, {}),
  'new price before the first payment': ({ request, pendingId }) =>
    request(`PATCH /v1/subscriptions/${pendingId}`, { price: { amount: 2_000 } }),
  'stored card for the first payment': ({ request, pendingId, cardId }) =>
    request(`PATCH /v1/subscriptions/${pendingId}`, { paymentMethod: { id: cardId } }),
  'deletion of the customer': ({ request, customerId }) => request(`DELETE /v1/customers/${customerId}`, {}),
  'new subscription of the customer': ({ request, customerId, cardId }) =>
    request('POST /v1/subscriptions', {
      customer: { id: customerId },
      paymentMethod: { id: cardId },
      price: PRICE,
    }),
  'new description': ({ request, paidId }) =>
    request(`PATCH /v1/subscriptions/${paidId}`, { description: 'Bread' }),
  'new metadata': ({ request, paidId }) =>
    request(`PATCH /v1/subscriptions/${paidId}`, { metadata: { box: 'small' } }),
  pause: ({ request, paidId }) => request(`PATCH /v1/subscriptions/${paidId}/pause`, {}),
  cancellation: ({ request, paidId }) => request(`DELETE /v1/subscriptions/${paidId}`, {}),
  'default card': ({ request, subscriberId, otherCardId }) =>
    request(`PATCH /v1/customers/${subscriberId}`, { defaultPaymentMethod: otherCardId }),
  'deletion of the card': ({ request, otherCardId }) =>
    request(`DELETE /v1/payment-methods/${otherCardId}`, {}),
  'new name of the customer': ({ request, subscriberId }) =>
    request(`PATCH /v1/customers/${subscriberId}`, { firstName: 'Bo' }),
} as const satisfies Record<string, (subscriptions: RacingSubscriptions) => Contender>;

/** Pairs of requests that touch the rules of subscriptions and of stored cards. */
export const SUBSCRIPTION_RACES = racesOf({
  open: openRacingSubscriptions,
  requests: REQUESTS,
  pairs: {
    storedCards: [
      { requests: ['default card', 'deletion of the card'], guardOut: true },
      { requests: ['new name of the customer', 'deletion of the card'] },
    ],
    subscriptionBilling: [
      { requests: ['first payment', 'stored card for the first payment'], guardOut: true },
      { requests: ['first payment', 'cancellation before the first payment'] },
      { requests: ['first payment', 'new price before the first payment'] },
      { requests: ['first payment', 'deletion of the customer'] },
      { requests: ['new subscription of the customer', 'deletion of the customer'], guardOut: true },
      { requests: ['new description', 'new metadata'], guardOut: true },
      { requests: ['pause', 'cancellation'] },
    ],
  },
});
