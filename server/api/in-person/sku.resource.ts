import { showPage } from '../../platform/http/paging.ts';
import { Page } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { findSku, toSku, SKU_LIST } from './sku.records.ts';
import { Sku, SkuQuery } from './sku.schema.ts';

const tag = 'In-person SKU';

const listSkusRoute = route({
  operation: 'GET /in-person/skus',
  tag,
  summary: 'List the SKUs of a country',
  section: 'Spec §4.13',
  query: SkuQuery,
  reply: Page(Sku),
  refusals: ['unknown_token'],
  async handle({ services: { store }, query }) {
    return showPage(store, SKU_LIST(query.country, query.productId), query, toSku);
  },
});

const getSkuRoute = route({
  operation: 'GET /in-person/skus/{id}',
  tag,
  summary: 'Retrieve a SKU',
  section: 'Spec §4.13',
  reply: Sku,
  find: ({ services: { store }, params }) => findSku(store, params.id),
  handle: async ({ found }) => toSku(found),
});

export const skuRoutes: readonly Route[] = [listSkusRoute, getSkuRoute];
