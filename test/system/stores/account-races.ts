import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import { accountRoutes } from '../../../server/api/accounts/account.resource.ts';
import { personRoutes } from '../../../server/api/accounts/person.resource.ts';
import { conversionRoutes } from '../../../server/api/ledger/conversion.resource.ts';
import { transferRoutes } from '../../../server/api/ledger/transfer.resource.ts';
import type { EntryLine } from '../../../server/api/ledger/ledger.ts';
import { postEntry } from '../../../server/api/ledger/post-entry.ts';
import { payoutMethodRoutes } from '../../../server/api/payouts/payout-method.resource.ts';
import { payoutRoutes } from '../../../server/api/payouts/payout.resource.ts';
import type { Transaction } from '../../../server/platform/store/store.ts';
import { payoutControlRoutes } from '../../../server/sandbox-controls/payout-control.resource.ts';
import { sandboxAccountRoutes } from '../../../server/sandbox-controls/sandbox-account.resource.ts';
import { sandboxVerificationRoutes } from '../../../server/sandbox-controls/sandbox-verification.resource.ts';
import { business, individual, person } from '../../server/api/accounts/account-bodies.ts';
import type { Contender, Rows } from './interleavings.ts';
import { openRacingServer, type RacingServer } from './racing-server.ts';
import { racesOf } from './request-races.ts';

const ROUTES = [
  ...transferRoutes,
  ...conversionRoutes,
  ...accountRoutes,
  ...personRoutes,
  ...payoutMethodRoutes,
  ...payoutRoutes,
  ...payoutControlRoutes,
  ...sandboxAccountRoutes,
  ...sandboxVerificationRoutes,
];

/** The tables of accounts and of what they are paid out. */
const TABLES = [
  'accounts',
  'persons',
  'payout_methods',
  'payouts',
  'transfers',
  'conversions',
  'balances',
  'balance_transactions',
  'postings',
  'events',
  'deliveries',
];

/** Accounts whose requests race each other. */
interface RacingAccounts extends Rows {
  request: RacingServer['request'];
  /** Adds to the money of the trader, as a payment or a refund does. */
  posted(amountMinor: number): Contender;
  /** A business with one person, who has yet to be verified. */
  businessId: string;
  personId: string;
  /** A sole trader with 100.00 pounds, payouts by hand, and a payout of 10.00 that the bank has not made. */
  traderId: string;
  methodId: string;
  payoutId: string;
}

async function openRacingAccounts(url: string): Promise<RacingAccounts> {
  const { store, services, made, request, keep } = await openRacingServer(url, ROUTES);
  const onboardingFlow = 'NonHosted';
  const { id: businessId } = await made('/v1/accounts', { onboardingFlow, entityType: 'Business', business });
  const { id: personId } = await made(`/v1/accounts/${businessId}/persons`, person);
  const trader = { onboardingFlow, entityType: 'Individual', individual, settings: MANUAL };
  const { id: traderId } = await made('/v1/accounts', trader);
  const { id: methodId } = await made(`/v1/accounts/${traderId}/payout-methods`, BANK_ACCOUNT);
  await made(`/sandbox/accounts/${traderId}/verification`, { outcome: 'Verified' });
  const earned: EntryLine = {
    type: 'Adjustment',
    accountId: traderId,
    currency: 'GBP',
    amountMinor: 10_000,
    availableMs: services.clock.nowMs(),
    origin: { id: traderId, amountMinor: 10_000 },
    description: 'Earned',
  };
  await store.transaction((tx) => postEntry(tx, services, { lines: [earned], outside: 'bank' }));
  const payout = { amount: 1_000, currency: 'GBP', payoutMethodId: methodId };
  const { id: payoutId } = await made(`/v1/accounts/${traderId}/payouts`, payout);
  const restore = await keep(TABLES);
  const posted =
    (amountMinor: number): Contender =>
    async (own) => {
      const line = { ...earned, amountMinor, origin: { id: traderId, amountMinor } };
      const entry = { lines: [line], outside: 'bank' as const };
      const post = (tx: Transaction) => {
        tx.delayReset();
        return postEntry(tx, services, entry);
      };
      await own.transaction(post, { guardedBy: ['paymentMoney'] });
      return 200;
    };
  return {
    request,
    posted,
    businessId,
    personId,
    traderId,
    methodId,
    payoutId,
    prepare: restore,
    async state(queries) {
      const all = (sql: string) => queries.all(sql);
      return {
        accounts: await all(
          'SELECT metadata, business, individual, settings, paid_out, payout_schedule, verification FROM accounts ORDER BY seq',
        ),
        persons: await all('SELECT roles, metadata, verification, deleted FROM persons ORDER BY seq'),
        methods: await all(
          'SELECT currency, display_name, status, deleted FROM payout_methods ORDER BY currency',
        ),
        payouts: await all('SELECT amount_minor, status FROM payouts ORDER BY amount_minor'),
        money: await all(
          'SELECT type, net_minor, payout_id IS NULL AS unpaid FROM balance_transactions ORDER BY type, net_minor',
        ),
        balances: await all(
          'SELECT account_id, currency, SUM(amount_minor) AS minor FROM balances GROUP BY account_id, currency ORDER BY 1, 2',
        ),
        transfers: await all('SELECT status, amount_minor FROM transfers ORDER BY amount_minor'),
        // What the API shows of an account follows from the others.
        events: await all('SELECT event_type FROM events ORDER BY seq'),
      };
    },
  };
}

const MANUAL = { payouts: { schedule: { type: 'Manual' } } };

/** What the trader has. */
const ALL = { amount: 9_000, currency: 'GBP' };

const REQUESTS = {
  'new details': ({ request, businessId }) =>
    request(`PATCH /v1/accounts/${businessId}`, { business: { phoneNumber: '+447700900456' } }),
  'new metadata': ({ request, businessId }) =>
    request(`PATCH /v1/accounts/${businessId}`, { metadata: { shop: 'corner' } }),
  'new contact person': ({ request, businessId }) =>
    request(`POST /v1/accounts/${businessId}/persons`, { ...person, businessRoles: ['BusinessContact'] }),
  'removal of the person': ({ request, businessId, personId }) =>
    request(`DELETE /v1/accounts/${businessId}/persons/${personId}`, {}),
  'change of the person': ({ request, businessId, personId }) =>
    request(`PATCH /v1/accounts/${businessId}/persons/${personId}`, { metadata: { role: 'owner' } }),
  'verification of the person': ({ request, businessId, personId }) =>
    request(`POST /sandbox/accounts/${businessId}/persons/${personId}/verification`, { outcome: 'Required' }),
  'verification of the account': ({ request, businessId }) =>
    request(`POST /sandbox/accounts/${businessId}/verification`, { outcome: 'Verified' }),
  'freezing of the account': ({ request, businessId }) =>
    request(`PATCH /sandbox/accounts/${businessId}/settings`, { frozen: true }),
  'new payout method': ({ request, businessId }) =>
    request(`POST /v1/accounts/${businessId}/payout-methods`, BANK_ACCOUNT),
  'payout by the bank': ({ request, payoutId }) =>
    request(`POST /sandbox/payouts/${payoutId}/outcome`, { status: 'Completed' }),
  'refusal by the bank': ({ request, payoutId }) =>
    request(`POST /sandbox/payouts/${payoutId}/outcome`, { status: 'Failed' }),
  'payout of all': ({ request, traderId, methodId }) =>
    request(`POST /v1/accounts/${traderId}/payouts`, { ...ALL, payoutMethodId: methodId }),
  'transfer of most': ({ request, traderId }) =>
    request('POST /v1/transfers', { amount: 6_000, currency: 'GBP', source: { accountId: traderId } }),
  'conversion of most': ({ request, traderId }) =>
    request(
      'POST /v1/conversions',
      { sell: { amount: 6_000, currency: 'GBP' }, buy: { currency: 'EUR' }, termAgreement: true },
      { account: traderId },
    ),
  refund: ({ posted }) => posted(-5_000),
  payment: ({ posted }) => posted(5_000),
  'new metadata of the trader': ({ request, traderId }) =>
    request(`PATCH /v1/accounts/${traderId}`, { metadata: { stall: '7' } }),
  'new name of the payout method': ({ request, traderId, methodId }) =>
    request(`PATCH /v1/accounts/${traderId}/payout-methods/${methodId}`, { displayName: 'Savings' }),
  'removal of the payout method': ({ request, traderId, methodId }) =>
    request(`DELETE /v1/accounts/${traderId}/payout-methods/${methodId}`, {}),
} as const satisfies Record<string, (accounts: RacingAccounts) => Contender>;

/** Pairs of requests that touch the rules of accounts. */
export const ACCOUNT_RACES = racesOf({
  open: openRacingAccounts,
  requests: REQUESTS,
  pairs: {
    availableBalance: [
      { requests: ['payout of all', 'payout of all'], guardOut: true },
      { requests: ['payout of all', 'transfer of most'], guardOut: true },
      { requests: ['transfer of most', 'conversion of most'], guardOut: true },
      { requests: ['payout of all', 'refund'] },
      { requests: ['payout of all', 'payment'] },
      { requests: ['payout of all', 'removal of the payout method'] },
    ],
    accountDetails: [
      { requests: ['new details', 'new metadata'], guardOut: true },
      { requests: ['new contact person', 'new contact person'], guardOut: true },
      { requests: ['new contact person', 'new payout method'] },
      { requests: ['removal of the person', 'change of the person'] },
      { requests: ['verification of the person', 'verification of the account'] },
      { requests: ['freezing of the account', 'new payout method'] },
      { requests: ['payout by the bank', 'new metadata of the trader'] },
      { requests: ['refusal by the bank', 'new name of the payout method'], guardOut: true },
      { requests: ['refusal by the bank', 'removal of the payout method'] },
    ],
  },
});
