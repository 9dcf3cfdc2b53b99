import { customerRoutes } from '../../../server/api/customers/customer.resource.ts';
import { captureVoidRefundRoutes } from '../../../server/api/payments/captures-voids-refunds.resource.ts';
import { attemptRoutes } from '../../../server/api/payments/attempt.resource.ts';
import { paymentSessionRoutes } from '../../../server/api/payments/payment-session.resource.ts';
import { webhookRoutes } from '../../../server/api/webhooks/webhook.resource.ts';
import { CLEARED_TABLES, resetRoutes } from '../../../server/sandbox-controls/reset.resource.ts';
import type { Contender, Rows } from './interleavings.ts';
import { CARD } from './payment-races.ts';
import { openRacingServer, type RacingServer } from './racing-server.ts';
import { racesOf } from './request-races.ts';

const ROUTES = [
  ...resetRoutes,
  ...customerRoutes,
  ...webhookRoutes,
  ...paymentSessionRoutes,
  ...attemptRoutes,
  ...captureVoidRefundRoutes,
];

/** A sandbox with a webhook for each event of the requests. */
interface RacingSandbox extends Rows {
  request: RacingServer['request'];
  customerId: string;
  /** A payment that is not paid yet. */
  unpaid: { clientSecret: string };
  /** A captured payment of 10.00. */
  captured: string;
}

async function openRacingSandbox(url: string): Promise<RacingSandbox> {
  const { made, request, keep } = await openRacingServer(url, ROUTES);
  await made('/v1/webhooks', {
    url: 'https://shop.example/events',
    active: true,
    eventTypes: ['Customer.created', 'PaymentSession.captured', 'PaymentSession.refunded'],
  });
  const { id: customerId } = await made('/v1/customers', { email: 'bo@corner.example' });
  const terms = { amount: 1_000, currency: 'GBP', customerEmail: 'bo@corner.example' };
  const unpaid = await made('/v1/payment-sessions', terms);
  const paid = await made('/v1/payment-sessions', terms);
  await made('/v1/payment-sessions/attempt-payment', { clientSecret: paid.clientSecret, cardDetails: CARD });
  const restore = await keep(CLEARED_TABLES);
  return {
    request,
    customerId,
    unpaid,
    captured: paid.id,
    async prepare(prepared) {
      await prepared.run('DELETE FROM idempotency_keys');
      await restore(prepared);
    },
    async state(queries) {
      const rows: Record<string, number> = {};
      for (const table of CLEARED_TABLES)
        rows[table] = (await queries.get<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`))!.rows;
      return rows;
    },
  };
}

const REQUESTS = {
  reset: ({ request }) => request('POST /sandbox/reset', {}),
  'new customer': ({ request }) => request('POST /v1/customers', { email: 'new@corner.example' }),
  'new webhook': ({ request }) =>
    request('POST /v1/webhooks', {
      url: 'https://shop.example/more',
      active: true,
      eventTypes: ['Customer.created'],
    }),
  'new payment of a customer': ({ request, customerId }) =>
    request('POST /v1/payment-sessions', { amount: 1_000, currency: 'GBP', customerId }),
  attempt: ({ request, unpaid: { clientSecret } }) =>
    request('POST /v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: CARD }),
  refund: ({ request, captured }) =>
    request(`POST /v1/payment-sessions/${captured}/refunds`, { amount: 600 }),
} as const satisfies Record<string, (sandbox: RacingSandbox) => Contender>;

/** Pairs of a reset and a request of each kind: one that adds an object, with an event and without, and one that changes one. */
export const RESET_RACES = racesOf({
  open: openRacingSandbox,
  requests: REQUESTS,
  pairs: {
    sandboxReset: [
      { requests: ['new customer', 'reset'], guardOut: true },
      { requests: ['new webhook', 'reset'] },
      { requests: ['new payment of a customer', 'reset'] },
      { requests: ['attempt', 'reset'] },
      { requests: ['refund', 'reset'] },
    ],
  },
});
