import { findOwnAccount } from '../accounts/account.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { readPage } from '../../platform/http/paging.ts';
import { Page, ShortPageQuery } from '../../platform/http/paging.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries } from '../../platform/store/store.ts';
import {
  findPayoutMethod,
  PAYOUT_METHOD_LIST,
  showPayoutMethod,
  type PayoutMethodRow,
} from './payout-method.records.ts';
import { PayoutMethod, PayoutMethodCreate, PayoutMethodUpdate } from './payout-method.schema.ts';
import { addPayoutMethod, changePayoutMethod, removePayoutMethod } from './payout-methods.ts';

interface Named {
  caller: Pick<Caller, 'platformId'>;
  params: Record<string, string>;
}

/** The account that `{id}` of a path names: the caller's platform, or a sub account of it. */
export async function accountOfPath(queries: Queries, { caller, params }: Named) {
  const account = await findOwnAccount(queries, caller.platformId, params['id']!);
  if (!account) throw new Refusal('not_found', { what: 'account' });
  return account;
}

export function payoutMethodRoutes(services: Services): Route[] {
  const { store } = services;
  const common = { tag: 'Payout method', section: 'Spec §4.5' };
  const ofAccount = (named: Named) => accountOfPath(store, named);
  const byId = async (named: Named) =>
    findPayoutMethod(store, (await ofAccount(named)).id, named.params['payoutMethodId']!);

  return [
    route({
      ...common,
      operation: 'POST /accounts/{id}/payout-methods',
      summary: 'Add a bank account that payouts of one currency go to',
      body: PayoutMethodCreate,
      reply: PayoutMethod,
      refusals: ['payout_method_exists', 'payout_country', 'bank_account'],
      find: ofAccount,
      handle: ({ body, found }) =>
        store.transaction(async (tx) =>
          showPayoutMethod(await addPayoutMethod(tx, services, found.id, body)),
        ),
    }),
    route({
      ...common,
      operation: 'GET /accounts/{id}/payout-methods',
      summary: 'List payout methods',
      query: ShortPageQuery,
      reply: Page(PayoutMethod),
      refusals: ['unknown_token'],
      find: ofAccount,
      async handle({ found, query }) {
        const page = await readPage<PayoutMethodRow>(store, PAYOUT_METHOD_LIST(found.id), query);
        return { items: page.rows.map(showPayoutMethod), paginationToken: page.paginationToken };
      },
    }),
    route({
      ...common,
      operation: 'GET /accounts/{id}/payout-methods/{payoutMethodId}',
      summary: 'Fetch a payout method',
      reply: PayoutMethod,
      find: byId,
      handle: async ({ found }) => showPayoutMethod(found),
    }),
    route({
      ...common,
      operation: 'PATCH /accounts/{id}/payout-methods/{payoutMethodId}',
      summary: 'Rename a payout method, or give it another bank account',
      body: PayoutMethodUpdate,
      reply: PayoutMethod,
      refusals: ['bank_account'],
      find: byId,
      handle: ({ body, found }) =>
        store.transaction(async (tx) =>
          showPayoutMethod(await changePayoutMethod(tx, services, found, body)),
        ),
    }),
    route({
      ...common,
      operation: 'DELETE /accounts/{id}/payout-methods/{payoutMethodId}',
      summary: 'Take a payout method away; answers what it was',
      reply: PayoutMethod,
      find: byId,
      handle: ({ found }) =>
        store.transaction(async (tx) => showPayoutMethod(await removePayoutMethod(tx, services, found))),
    }),
  ];
}
