import { CurrencyCode, Id, Metadata, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { findSubAccount } from '../accounts/account.records.ts';
import { Page, PageQuery, readPage } from '../../platform/http/paging.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { findTransfer, showTransfer, TRANSFER_LIST, type TransferRow } from './transfer.records.ts';
import { sidesOf } from './transfer.rules.ts';
import { makeTransfer } from './transfers.ts';

const METADATA_MAX = 5; // as on payouts, Spec §2.1

const Side = (description: string) => Type.Object({ accountId: Id('account') }, { description });
const Source = Side('The sub account that the platform pulls from; not together with destination');
const Destination = Side('The sub account that the platform pushes to; not together with source');
const Reason = Type.String({ minLength: 1, maxLength: 250, description: 'What it is for, for people' });

const Money = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Minor units' });

/** Money moved between the platform and one of its sub accounts: Spec §4.7. */
export const Transfer = Type.Object(
  {
    id: Id('transfer'),
    status: Type.Enum(['Pending', 'Declined', 'Completed'], {
      description: 'Completed at once, or Declined: errors says why',
    }),
    amount: Money,
    currency: Type.String({ description: 'ISO 4217' }),
    source: Type.Optional(Source),
    destination: Type.Optional(Destination),
    reason: Type.Optional(Reason),
    metadata: Type.Optional(Metadata(METADATA_MAX)),
    errors: Type.Optional(
      Type.Array(Type.Object({ code: Type.Enum(['InsufficientSourceBalance']), description: Type.String() })),
    ),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Transfer' },
);
export type Transfer = Static<typeof Transfer>;

export const TransferCreate = Type.Object({
  amount: Money,
  currency: CurrencyCode,
  source: Type.Optional(Source),
  destination: Type.Optional(Destination),
  reason: Type.Optional(Reason),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});

export function transferRoutes(services: Services): Route[] {
  const { store } = services;
  const common = { tag: 'Transfer', section: 'Spec §4.7' };

  return [
    route({
      ...common,
      operation: 'POST /transfers',
      summary: 'Pull money from a sub account to the platform, or push it the other way',
      body: TransferCreate,
      reply: Transfer,
      refusals: ['transfer_sides'],
      async handle({ caller: { platformId }, body }) {
        const sides = sidesOf(body, platformId);
        if (!(await findSubAccount(store, platformId, sides.subAccountId))) {
          throw new Refusal('not_found', { what: 'sub account' });
        }
        const order = { platformId, ...sides, ...body, amountMinor: body.amount };
        return showTransfer(await store.transaction((tx) => makeTransfer(tx, services, order)));
      },
    }),
    route({
      ...common,
      operation: 'GET /transfers',
      summary: 'List transfers',
      query: PageQuery,
      reply: Page(Transfer),
      refusals: ['unknown_token'],
      async handle({ caller, query }) {
        const page = await readPage<TransferRow>(store, TRANSFER_LIST(caller.platformId), query);
        return { items: page.rows.map(showTransfer), paginationToken: page.paginationToken };
      },
    }),
    route({
      ...common,
      operation: 'GET /transfers/{id}',
      summary: 'Fetch a transfer',
      reply: Transfer,
      find: ({ caller, params }) => findTransfer(store, caller.platformId, params['id']!),
      handle: async ({ found }) => showTransfer(found),
    }),
  ];
}
