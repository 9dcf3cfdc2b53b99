import { accountRoutes } from '../../../server/api/accounts/account.resource.ts';
import { personRoutes } from '../../../server/api/accounts/person.resource.ts';
import { customerRoutes } from '../../../server/api/customers/customer.resource.ts';
import { locationRoutes } from '../../../server/api/in-person/terminals/location.resource.ts';
import { postEntry } from '../../../server/api/ledger/post-entry.ts';
import { transferRoutes } from '../../../server/api/ledger/transfer.resource.ts';
import { accountLinkRoutes } from '../../../server/api/onboarding/account-link.resource.ts';
import { captureVoidRefundRoutes } from '../../../server/api/payments/captures-voids-refunds.resource.ts';
import { attemptRoutes } from '../../../server/api/payments/attempt.resource.ts';
import { paymentSessionRoutes } from '../../../server/api/payments/payment-session.resource.ts';
import { walletRoutes } from '../../../server/api/wallets/wallet.resource.ts';
import { webhookRoutes } from '../../../server/api/webhooks/webhook.resource.ts';
import { CLEARED_TABLES, resetRoutes } from '../../../server/sandbox-controls/reset.resource.ts';
import { sandboxAccountRoutes } from '../../../server/sandbox-controls/sandbox-account.resource.ts';
import { business, person } from '../../server/api/accounts/account-bodies.ts';
import { ADDRESS } from '../../server/api/in-person/shop-server.ts';
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
  ...accountRoutes,
  ...personRoutes,
  ...locationRoutes,
  ...transferRoutes,
  ...accountLinkRoutes,
  ...walletRoutes,
  ...sandboxAccountRoutes,
];

/** A sandbox with a webhook for each event of the requests. */
interface RacingSandbox extends Rows {
  request: RacingServer['request'];
  customerId: string;
  /** A payment that is not paid yet. */
  unpaid: { clientSecret: string };
  /** A captured payment of 10.00. */
  captured: string;
  /** A sub account that a reset deletes. */
  subAccountId: string;
  /** One whose holder completes it. */
  hostedId: string;
}

async function openRacingSandbox(url: string): Promise<RacingSandbox> {
  const { made, request, keep, store, services, platformId } = await openRacingServer(url, ROUTES);
  await made('/v1/webhooks', {
    url: 'https://shop.example/events',
    active: true,
    eventTypes: ['Customer.created', 'PaymentSession.captured', 'PaymentSession.refunded'],
  });
  const { id: customerId } = await made('/v1/customers', { email: 'bo@corner.example' });
  const terms = { amount: 1_000, currency: 'GBP', customerEmail: 'bo@corner.example' };
  const unpaid = await made('/v1/payment-sessions', terms);
  const paid = await made('/v1/payment-sessions', { ...terms, paymentType: 'Unscheduled' });
  await made('/v1/payment-sessions/attempt-payment', {
    clientSecret: paid.clientSecret,
    cardDetails: CARD,
    paymentMethodOptions: { store: true },
  });
  const onboardingFlow = 'NonHosted';
  const sub = await made('/v1/accounts', { onboardingFlow, entityType: 'Business', business });
  const hosted = await made('/v1/accounts', { onboardingFlow: 'Hosted', email: 'holder@market.example' });
  const amountMinor = 10_000;
  const earned = {
    type: 'Adjustment',
    accountId: platformId,
    currency: 'GBP',
    amountMinor,
    availableMs: services.clock.nowMs(),
    origin: { id: platformId, amountMinor },
    description: 'Earned',
  } as const;
  await store.transaction((tx) => postEntry(tx, services, { lines: [earned], outside: 'bank' }));
  const restore = await keep(CLEARED_TABLES);
  return {
    request,
    customerId,
    unpaid,
    captured: paid.id,
    subAccountId: sub.id,
    hostedId: hosted.id,
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
  'new payment of a sub account': ({ request, subAccountId: account }) =>
    request('POST /v1/payment-sessions', { amount: 1_000, currency: 'GBP' }, { account }),
  'new payment after another': ({ request, captured: id }) =>
    request('POST /v1/payment-sessions', {
      amount: 1_000,
      currency: 'GBP',
      paymentType: 'Unscheduled',
      previousPayment: { id },
    }),
  'new customer of a sub account': ({ request, subAccountId: account }) =>
    request('POST /v1/customers', { email: 'new@corner.example' }, { account }),
  'new location of a sub account': ({ request, subAccountId: account }) =>
    request('POST /v1/in-person/locations', { name: 'Market', address: ADDRESS }, { account }),
  'new domain of a sub account': ({ request, subAccountId: account }) =>
    request('POST /v1/wallet-pay/web-domains', { domainName: 'shop.example' }, { account }),
  'new transfer': ({ request, subAccountId: accountId }) =>
    request('POST /v1/transfers', { amount: 500, currency: 'GBP', destination: { accountId } }),
  'new link': ({ request, hostedId: accountId }) =>
    request('POST /v1/account-links', { accountId, redirectUrl: 'https://shop.example/back' }),
  'new person': ({ request, subAccountId }) => request(`POST /v1/accounts/${subAccountId}/persons`, person),
  'new settings': ({ request, subAccountId }) =>
    request(`PATCH /sandbox/accounts/${subAccountId}/settings`, { frozen: true }),
} as const satisfies Record<string, (sandbox: RacingSandbox) => Contender>;

/**
 * Pairs of a reset and a request of each kind: one that adds an object, with an event and without, one that names another object,
 * and one that changes one.
 */
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
      { requests: ['new payment of a sub account', 'reset'] },
      { requests: ['new payment after another', 'reset'] },
      { requests: ['new customer of a sub account', 'reset'] },
      { requests: ['new location of a sub account', 'reset'] },
      { requests: ['new domain of a sub account', 'reset'] },
      { requests: ['new transfer', 'reset'] },
      { requests: ['new link', 'reset'] },
      { requests: ['new person', 'reset'] },
      { requests: ['new settings', 'reset'] },
    ],
  },
});
