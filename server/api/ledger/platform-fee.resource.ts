import { showPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type FindContext, type Route } from '../../platform/http/route.ts';
import { platformFeeRefunds, platformFees, toPlatformFee } from './platform-fee.records.ts';
import { PlatformFee, PlatformFeeRefund } from './platform-fee.schema.ts';

const common = { tag: 'Platform fee', section: 'Spec §4.7' };

const byId = ({ services: { store }, caller, params }: FindContext<'platformFeeId'>) =>
  platformFees.find(store, caller.platformId, params.platformFeeId);

const listPlatformFeesRoute = route({
  ...common,
  operation: 'GET /platform-fees',
  summary: 'List platform fees',
  query: PageQuery,
  reply: Page(PlatformFee),
  refusals: ['unknown_token'],
  async handle({ services: { store }, caller, query }) {
    return showPage(store, platformFees.listOf(caller.platformId), query, toPlatformFee);
  },
});

const getPlatformFeeRoute = route({
  ...common,
  operation: 'GET /platform-fees/{platformFeeId}',
  summary: 'Retrieve a platform fee',
  reply: PlatformFee,
  find: byId,
  handle: async ({ found }) => toPlatformFee(found),
});

const listPlatformFeeRefundsRoute = route({
  ...common,
  operation: 'GET /platform-fees/{platformFeeId}/refunds',
  summary: 'List the refunds of a platform fee',
  query: PageQuery,
  reply: Page(PlatformFeeRefund),
  refusals: ['unknown_token'],
  find: byId,
  async handle({ services: { store }, found, query }) {
    return showPage(store, platformFeeRefunds.listOf(found.id), query, platformFeeRefunds.show);
  },
});

export const platformFeeRoutes: readonly Route[] = [
  listPlatformFeesRoute,
  getPlatformFeeRoute,
  listPlatformFeeRefundsRoute,
];
