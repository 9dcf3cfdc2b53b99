import { showPage } from '../../platform/http/paging.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { accountById } from './payout-method.resource.ts';
import { payoutList, payouts, toPayout } from './payout.records.ts';
import { Payout, PayoutCreate, PayoutPage, PayoutQuery } from './payout.schema.ts';
import { createManualPayout, PAYOUT_GUARDS } from './payouts.ts';

const common = { tag: 'Payout', section: 'Spec §4.6' };

const createPayoutRoute = route({
  ...common,
  operation: 'POST /accounts/{id}/payouts',
  summary: 'Create a payout of a NonHosted sub account with a Manual payout schedule',
  body: PayoutCreate,
  reply: Payout,
  refusals: [
    'payouts_not_manual',
    'payout_method_invalid',
    'payout_too_small',
    'payout_unverified',
    'payout_frozen',
    'payout_currency',
    'balance_short',
  ],
  find: accountById,
  handle: ({ services, body, found }) =>
    services.store.transaction(
      async (tx) => toPayout(await createManualPayout(tx, services, found.id, body)),
      PAYOUT_GUARDS,
    ),
});

/** Parameters, and their alternative names, over which they take precedence. */
const ALTERNATIVES = [
  ['startsAfter', 'paginationToken'],
  ['startTimestamp', 'start'],
  ['endTimestamp', 'end'],
] as const;

const listPayoutsRoute = route({
  ...common,
  operation: 'GET /accounts/{id}/payouts',
  summary: 'List payouts',
  query: PayoutQuery,
  ignoredInQuery: (query) =>
    ALTERNATIVES.filter(([name]) => query[name] !== undefined).map(([, other]) => other),
  reply: PayoutPage,
  refusals: ['unknown_token', 'window_backwards', 'payout_dates_backwards'],
  find: accountById,
  async handle({ services: { store }, found, query }) {
    const startsAfter = query.startsAfter ?? query.paginationToken;
    const startTimestamp = query.startTimestamp ?? query.start;
    const endTimestamp = query.endTimestamp ?? query.end;
    const window = {
      ...query,
      ...(startTimestamp !== undefined && { startTimestamp }),
      ...(endTimestamp !== undefined && { endTimestamp }),
    };
    const pageQuery = { ...query, ...(startsAfter !== undefined && { startsAfter }) };
    const page = await showPage(store, payoutList(found.id, window), pageQuery, toPayout);
    return { payouts: page.items, ...page };
  },
});

const getPayoutRoute = route({
  ...common,
  operation: 'GET /accounts/{id}/payouts/{payoutId}',
  summary: 'Retrieve a payout',
  reply: Payout,
  async find(call) {
    const account = await accountById(call);
    return payouts.find(call.services.store, account.id, call.params.payoutId);
  },
  handle: async ({ found }) => toPayout(found),
});

export const payoutRoutes: readonly Route[] = [createPayoutRoute, listPayoutsRoute, getPayoutRoute];
