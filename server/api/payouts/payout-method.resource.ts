import { ACCOUNT_GUARDS, findOwnAccount, type AccountRow } from '../accounts/account.records.ts';
import { ShortPageQuery } from '../../platform/http/paging.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { listRoute } from '../../platform/http/object-routes.ts';
import { route, type FindContext, type Route } from '../../platform/http/route.ts';
import { payoutMethods, type PayoutMethodRow } from '../accounts/payout-method.records.ts';
import { PayoutMethod, PayoutMethodCreate, PayoutMethodUpdate } from '../accounts/payout-method.schema.ts';
import { addPayoutMethod, changePayoutMethod, removePayoutMethod } from './payout-methods.ts';

/**
 * Returns the account that `{id}` of a path names: the caller's platform or one of its sub accounts.
 * @throws Refusal `not_found`.
 */
export async function accountById({
  services: { store },
  caller,
  params,
}: FindContext<'id'>): Promise<AccountRow> {
  const account = await findOwnAccount(store, caller.platformId, params.id);
  if (!account) throw new Refusal('not_found', { what: 'account' });
  return account;
}

const common = { tag: 'Payout method', section: 'Spec §4.5' };

async function find(call: FindContext<'id' | 'payoutMethodId'>): Promise<PayoutMethodRow | undefined> {
  const account = await accountById(call);
  return payoutMethods.find(call.services.store, account.id, call.params.payoutMethodId);
}

const createPayoutMethodRoute = route({
  ...common,
  operation: 'POST /accounts/{id}/payout-methods',
  summary: 'Create a payout method: a bank account for payouts of one currency',
  body: PayoutMethodCreate,
  reply: PayoutMethod,
  refusals: ['payout_method_exists', 'payout_country', 'bank_account'],
  find: accountById,
  handle: ({ services, body, found }) =>
    services.store.transaction(
      async (tx) => payoutMethods.show(await addPayoutMethod(tx, services, found.id, body)),
      ACCOUNT_GUARDS,
    ),
});

const listPayoutMethodsRoute = listRoute({
  ...common,
  operation: 'GET /accounts/{id}/payout-methods',
  summary: 'List payout methods',
  query: ShortPageQuery,
  item: PayoutMethod,
  find: accountById,
  list: ({ found }) => payoutMethods.listOf(found.id),
  show: payoutMethods.show,
});

const getPayoutMethodRoute = route({
  ...common,
  operation: 'GET /accounts/{id}/payout-methods/{payoutMethodId}',
  summary: 'Retrieve a payout method',
  reply: PayoutMethod,
  find,
  handle: async ({ found }) => payoutMethods.show(found),
});

const updatePayoutMethodRoute = route({
  ...common,
  operation: 'PATCH /accounts/{id}/payout-methods/{payoutMethodId}',
  summary: 'Update the name or the bank account of a payout method',
  body: PayoutMethodUpdate,
  reply: PayoutMethod,
  refusals: ['bank_account'],
  find,
  handle: ({ services, body, found }) =>
    services.store.transaction(
      async (tx) => payoutMethods.show(await changePayoutMethod(tx, services, found, body)),
      ACCOUNT_GUARDS,
    ),
});

const deletePayoutMethodRoute = route({
  ...common,
  operation: 'DELETE /accounts/{id}/payout-methods/{payoutMethodId}',
  summary: 'Delete a payout method',
  reply: PayoutMethod,
  find,
  handle: ({ services, found }) =>
    services.store.transaction(
      async (tx) => payoutMethods.show(await removePayoutMethod(tx, services, found)),
      ACCOUNT_GUARDS,
    ),
});

export const payoutMethodRoutes: readonly Route[] = [
  createPayoutMethodRoute,
  listPayoutMethodsRoute,
  getPayoutMethodRoute,
  updatePayoutMethodRoute,
  deletePayoutMethodRoute,
];
