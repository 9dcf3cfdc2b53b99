import { Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { Page, PageQuery, readPage } from '../../platform/http/paging.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import {
  findPlatformFee,
  PLATFORM_FEE_LIST,
  PLATFORM_FEE_REFUND_LIST,
  showPlatformFee,
  showPlatformFeeRefund,
  type PlatformFeeRefundRow,
  type PlatformFeeRow,
} from './platform-fee.records.ts';

const Currency = Type.String({ description: 'ISO 4217' });

/** What the platform took of a payment of a sub account: Spec §4.7. */
export const PlatformFee = Type.Object(
  {
    id: Id('platformFee'),
    paymentSessionId: Id('paymentSession'),
    amount: Type.Integer({ description: 'What the platform took, minor units' }),
    paymentAmount: Type.Integer({ description: 'What was captured, or of a split its amount' }),
    processingFee: Type.Integer({ description: 'Processing fee that the platform pays out of it' }),
    netAmount: Type.Integer({ description: 'The amount without the processing fee' }),
    currency: Currency,
    fromAccountId: Type.String({ description: 'The sub account that it was taken from' }),
    createdTimestamp: Timestamp,
  },
  { title: 'PlatformFee' },
);
export type PlatformFee = Static<typeof PlatformFee>;

/** What of a platform fee went back to the account that it was taken from: Spec §4.7. */
export const PlatformFeeRefund = Type.Object(
  {
    id: Id('platformFeeRefund'),
    platformFeeId: Id('platformFee'),
    amount: Type.Integer({ description: 'What went back, minor units' }),
    currency: Currency,
    reason: Type.Optional(Type.String({ description: 'The reason of the refund of the payment' })),
    status: Type.Enum(['Pending', 'Failed', 'Succeeded'], { description: 'Succeeded at once' }),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'PlatformFeeRefund' },
);
export type PlatformFeeRefund = Static<typeof PlatformFeeRefund>;

export function platformFeeRoutes({ store }: Services): Route[] {
  const common = { tag: 'Platform fee', section: 'Spec §4.7' };
  const byId = ({ caller, params }: { caller: Caller; params: Record<string, string> }) =>
    findPlatformFee(store, caller.platformId, params['platformFeeId']!);

  return [
    route({
      ...common,
      operation: 'GET /platform-fees',
      summary: 'List the fees that the platform collected',
      query: PageQuery,
      reply: Page(PlatformFee),
      refusals: ['unknown_token'],
      async handle({ caller, query }) {
        const page = await readPage<PlatformFeeRow>(store, PLATFORM_FEE_LIST(caller.platformId), query);
        return { items: page.rows.map(showPlatformFee), paginationToken: page.paginationToken };
      },
    }),
    route({
      ...common,
      operation: 'GET /platform-fees/{platformFeeId}',
      summary: 'Fetch a platform fee',
      reply: PlatformFee,
      find: byId,
      handle: async ({ found }) => showPlatformFee(found),
    }),
    route({
      ...common,
      operation: 'GET /platform-fees/{platformFeeId}/refunds',
      summary: 'List what of a platform fee was given back',
      query: PageQuery,
      reply: Page(PlatformFeeRefund),
      refusals: ['unknown_token'],
      find: byId,
      async handle({ found, query }) {
        const page = await readPage<PlatformFeeRefundRow>(store, PLATFORM_FEE_REFUND_LIST(found.id), query);
        return { items: page.rows.map(showPlatformFeeRefund), paginationToken: page.paginationToken };
      },
    }),
  ];
}
