import { listRoute } from '../../platform/http/object-routes.ts';
import { route, type FindContext, type Route } from '../../platform/http/route.ts';
import { platformFeeRefunds, platformFees, toPlatformFee } from './platform-fee.records.ts';
import { PlatformFee, PlatformFeeRefund } from './platform-fee.schema.ts';

const common = { tag: 'Platform fee', section: 'Spec §4.7' };

const byId = ({ services: { store }, caller, params }: FindContext<'platformFeeId'>) =>
  platformFees.find(store, caller.platformId, params.platformFeeId);

const listPlatformFeesRoute = listRoute({
  ...common,
  operation: 'GET /platform-fees',
  summary: 'List platform fees',
  item: PlatformFee,
  list: ({ caller }) => platformFees.listOf(caller.platformId),
  show: toPlatformFee,
});

const getPlatformFeeRoute = route({
  ...common,
  operation: 'GET /platform-fees/{platformFeeId}',
  summary: 'Retrieve a platform fee',
  reply: PlatformFee,
  find: byId,
  handle: async ({ found }) => toPlatformFee(found),
});

const listPlatformFeeRefundsRoute = listRoute({
  ...common,
  operation: 'GET /platform-fees/{platformFeeId}/refunds',
  summary: 'List the refunds of a platform fee',
  item: PlatformFeeRefund,
  find: byId,
  list: ({ found }) => platformFeeRefunds.listOf(found.id),
  show: platformFeeRefunds.show,
});

export const platformFeeRoutes: readonly Route[] = [
  listPlatformFeesRoute,
  getPlatformFeeRoute,
  listPlatformFeeRefundsRoute,
];
