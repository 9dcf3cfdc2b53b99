import { readPage } from '../../platform/http/paging.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { accountOfPath } from './payout-method.resource.ts';
import { findPayout, payoutList, showPayout, type PayoutRow } from './payout.records.ts';
import { Payout, PayoutCreate, PayoutPage, PayoutQuery } from './payout.schema.ts';
import { orderPayout } from './payouts.ts';

export function payoutRoutes(services: Services): Route[] {
  const { store } = services;
  const common = { tag: 'Payout', section: 'Spec §4.6' };

  return [
    route({
      ...common,
      operation: 'POST /accounts/{id}/payouts',
      summary: 'Pay out by hand: a NonHosted sub account whose payout schedule is Manual',
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
      find: (named) => accountOfPath(store, named),
      handle: ({ body, found }) =>
        store.transaction(async (tx) => showPayout(await orderPayout(tx, services, found.id, body))),
    }),
    route({
      ...common,
      operation: 'GET /accounts/{id}/payouts',
      summary: 'List payouts',
      query: PayoutQuery,
      reply: PayoutPage,
      refusals: ['unknown_token', 'window_backwards', 'payout_dates_backwards'],
      find: (named) => accountOfPath(store, named),
      async handle({ found, query }) {
        const startsAfter = query.startsAfter ?? query.paginationToken;
        const startTimestamp = query.startTimestamp ?? query.start;
        const endTimestamp = query.endTimestamp ?? query.end;
        const window = {
          ...query,
          ...(startTimestamp !== undefined && { startTimestamp }),
          ...(endTimestamp !== undefined && { endTimestamp }),
        };
        const page = await readPage<PayoutRow>(store, payoutList(found.id, window), {
          ...query,
          ...(startsAfter !== undefined && { startsAfter }),
        });
        const items = page.rows.map(showPayout);
        return { payouts: items, items, paginationToken: page.paginationToken };
      },
    }),
    route({
      ...common,
      operation: 'GET /accounts/{id}/payouts/{payoutId}',
      summary: 'Fetch a payout',
      reply: Payout,
      find: async (named) =>
        findPayout(store, (await accountOfPath(store, named)).id, named.params['payoutId']!),
      handle: async ({ found }) => showPayout(found),
    }),
  ];
}
