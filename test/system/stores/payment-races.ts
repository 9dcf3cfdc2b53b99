import { actionRoutes } from '../../../server/api/in-person/actions/action.resource.ts';
import { locationRoutes } from '../../../server/api/in-person/terminals/location.resource.ts';
import { terminalRoutes } from '../../../server/api/in-person/terminals/terminal.resource.ts';
import { customerRoutes } from '../../../server/api/customers/customer.resource.ts';
import { attemptRoutes } from '../../../server/api/payments/attempt.resource.ts';
import { captureVoidRefundRoutes } from '../../../server/api/payments/captures-voids-refunds.resource.ts';
import { paymentSessionRoutes } from '../../../server/api/payments/payment-session.resource.ts';
import { disputeControlRoutes } from '../../../server/sandbox-controls/dispute-control.resource.ts';
import { ADDRESS } from '../../server/api/in-person/shop-server.ts';
import type { Contender, Rows } from './interleavings.ts';
import { openRacingServer, type RacingServer } from './racing-server.ts';
import { racesOf } from './request-races.ts';

const ROUTES = [
  ...locationRoutes,
  ...terminalRoutes,
  ...actionRoutes,
  ...paymentSessionRoutes,
  ...attemptRoutes,
  ...customerRoutes,
  ...captureVoidRefundRoutes,
  ...disputeControlRoutes,
];

export const CARD = {
  name: 'Ana Diaz',
  number: '4242424242424242',
  expiryMonth: '12',
  expiryYear: '2039',
  cvc: '123',
};

/** A shop whose requests race each other. */
interface RacingShop extends Rows {
  request: RacingServer['request'];
  /** An approved payment of 10.00 whose capture is manual. */
  approved: string;
  /** A captured payment of 10.00. */
  captured: string;
  /** A payment of 10.00 that is not paid yet, of a customer. */
  unpaid: { id: string; clientSecret: string };
  customerId: string;
  /** Two payments whose customer is not known yet. */
  nameless: { clientSecret: string }[];
  terminalId: string;
}

async function openRacingShop(url: string): Promise<RacingShop> {
  const { store, made, request, keep } = await openRacingServer(url, ROUTES);

  async function paid(captureFlow: 'Manual' | 'Automatic'): Promise<string> {
    const terms = { amount: 1_000, currency: 'GBP', captureFlow, customerEmail: 'ana@corner.example' };
    const { id, clientSecret } = await made('/v1/payment-sessions', terms);
    await made('/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: CARD });
    return id;
  }

  const { id: locationId } = await made('/v1/in-person/locations', { name: 'Corner', address: ADDRESS });
  const terminal = { serialNumber: '1853000001', locationId };
  const { id: terminalId } = await made('/v1/in-person/terminals', terminal);
  const [approved, captured] = [await paid('Manual'), await paid('Automatic')];
  const terms = { amount: 1_000, currency: 'GBP' };
  const customer = await made('/v1/customers', { email: 'bo@corner.example' });
  const unpaid = await made('/v1/payment-sessions', { ...terms, customerId: customer.id });
  const nameless = [await made('/v1/payment-sessions', terms), await made('/v1/payment-sessions', terms)];
  // A terminal refunds what was paid at a terminal.
  await store.run(`UPDATE payment_sessions SET entry_mode = 'InPerson' WHERE id = ?`, captured);
  const tables = [
    'payment_sessions',
    'payment_transactions',
    'actions',
    'disputes',
    'customers',
    'payment_methods',
  ];
  const restore = await keep(tables);

  return {
    approved,
    captured,
    unpaid,
    customerId: customer.id,
    nameless,
    terminalId,
    request,
    async prepare(prepared) {
      await prepared.run('DELETE FROM idempotency_keys');
      await prepared.run('UPDATE terminals SET last_action_id = NULL');
      await restore(prepared);
    },
    async state(queries) {
      const sessions = await queries.all(
        'SELECT status, amount_minor, captured_minor, refunded_minor, metadata FROM payment_sessions ORDER BY seq',
      );
      const transactions = await queries.all(
        'SELECT type, status, amount_minor, refunded_minor FROM payment_transactions ORDER BY type, seq',
      );
      const actions = await queries.all('SELECT type, status, phase FROM actions ORDER BY type');
      const disputes = await queries.all('SELECT status, amount_minor FROM disputes');
      const customers = await queries.all('SELECT email, deleted FROM customers ORDER BY email, deleted');
      const cards = await queries.all(
        'SELECT stored, deleted, customer_id FROM payment_methods ORDER BY stored, deleted, customer_id',
      );
      const unknown = cards.map((card) => ({ ...card, customer_id: card['customer_id'] === customer.id }));
      return { sessions, transactions, actions, disputes, customers, cards: unknown };
    },
  };
}

/** Requests about the payments and the terminal of a shop. */
const REQUESTS = {
  capture: ({ request, approved }) =>
    request(`POST /v1/payment-sessions/${approved}/captures`, { amount: 600, captureType: 'NotFinal' }),
  void: ({ request, approved }) => request(`POST /v1/payment-sessions/${approved}/voids`, {}),
  refund: ({ request, captured }) =>
    request(`POST /v1/payment-sessions/${captured}/refunds`, { amount: 600 }),
  'keyed refund': ({ request, captured }) =>
    request(`POST /v1/payment-sessions/${captured}/refunds`, { amount: 600 }, { 'idempotency-key': 'once' }),
  dispute: ({ request, captured }) =>
    request(`POST /sandbox/payment-sessions/${captured}/disputes`, { amount: 600 }),
  'terminal refund': ({ request, captured, terminalId }) =>
    request(`POST /v1/in-person/terminals/${terminalId}/refund`, {
      amount: 600,
      paymentSession: { id: captured },
    }),
  'terminal payment': ({ request, terminalId }) =>
    request(`POST /v1/in-person/terminals/${terminalId}/payment`, {
      amounts: { requested: 1_000 },
      currency: 'GBP',
    }),
  attempt: ({ request, unpaid: { clientSecret } }) =>
    request('POST /v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: CARD }),
  'attempt that stores its card': ({ request, unpaid: { clientSecret } }) =>
    request('POST /v1/payment-sessions/attempt-payment', {
      clientSecret,
      cardDetails: CARD,
      paymentMethodOptions: { store: true },
    }),
  'keyed attempt': ({ request, unpaid: { clientSecret } }) =>
    request(
      'POST /v1/payment-sessions/attempt-payment',
      { clientSecret, cardDetails: CARD },
      { 'idempotency-key': 'once' },
    ),
  'attempt of a new customer': ({ request, nameless }) =>
    request('POST /v1/payment-sessions/attempt-payment', {
      clientSecret: nameless[0]!.clientSecret,
      cardDetails: CARD,
      customerDetails: { email: 'new@corner.example' },
    }),
  'other attempt of the new customer': ({ request, nameless }) =>
    request('POST /v1/payment-sessions/attempt-payment', {
      clientSecret: nameless[1]!.clientSecret,
      cardDetails: CARD,
      customerDetails: { email: 'new@corner.example' },
    }),
  'creation of the new customer': ({ request }) =>
    request('POST /v1/customers', { email: 'new@corner.example' }),
  'deletion of the customer': ({ request, customerId }) => request(`DELETE /v1/customers/${customerId}`, {}),
  'new amount': ({ request, unpaid }) => request(`PATCH /v1/payment-sessions/${unpaid.id}`, { amount: 700 }),
  'new metadata': ({ request, unpaid }) =>
    request(`PATCH /v1/payment-sessions/${unpaid.id}`, { metadata: { order: '7' } }),
  'keyed terminal payment': ({ request, terminalId }) =>
    request(
      `POST /v1/in-person/terminals/${terminalId}/payment`,
      { amounts: { requested: 1_000 }, currency: 'GBP' },
      { 'idempotency-key': 'once' },
    ),
} as const satisfies Record<string, (shop: RacingShop) => Contender>;

const IN_USE = '409 a request with this Idempotency-Key is under way: retry later';

/** Pairs of requests that touch the rules of payments. */
export const PAYMENT_RACES = racesOf({
  open: openRacingShop,
  requests: REQUESTS,
  pairs: {
    customerEmail: [
      { requests: ['attempt of a new customer', 'other attempt of the new customer'], guardOut: true },
      { requests: ['attempt of a new customer', 'creation of the new customer'] },
    ],
    storedCards: [
      { requests: ['attempt that stores its card', 'attempt that stores its card'] },
      {
        requests: ['attempt that stores its card', 'deletion of the customer'],
        guardOut: true,
        refusal: '404 no such customer',
      },
    ],
    actionInProgress: [
      { requests: ['terminal payment', 'terminal payment'], guardOut: true },
      { requests: ['terminal payment', 'terminal refund'] },
      { requests: ['keyed terminal payment', 'terminal payment'], guardOut: true },
    ],
    paymentMoney: [
      { requests: ['capture', 'capture'] },
      { requests: ['capture', 'void'] },
      { requests: ['refund', 'refund'] },
      { requests: ['refund', 'terminal refund'], guardOut: true },
      { requests: ['refund', 'dispute'] },
      { requests: ['terminal refund', 'dispute'] },
      { requests: ['terminal refund', 'keyed refund'] },
      // Both have the same key: one that comes while the other is under way is refused, and sent again later.
      { requests: ['keyed refund', 'keyed refund'], conflict: IN_USE },
      { requests: ['keyed refund', 'refund'] },
      { requests: ['attempt', 'attempt'], guardOut: true },
      { requests: ['attempt', 'keyed attempt'] },
      { requests: ['attempt', 'new amount'] },
      { requests: ['new amount', 'new metadata'], guardOut: true },
    ],
  },
});
