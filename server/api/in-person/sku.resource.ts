import { showPage } from '../../platform/http/paging.ts';
import { Page } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Condition } from '../../platform/store/page-source.ts';
import { skus } from './catalogue.records.ts';
import { Sku, SkuQuery } from './sku.schema.ts';

const tag = 'In-person SKU';

function soldIn({ country, productId }: { country: string; productId?: string }): Condition {
  return productId === undefined
    ? { where: 'country = ?', parameters: [country] }
    : { where: 'country = ? AND product_id = ?', parameters: [country, productId] };
}

const listSkusRoute = route({
  operation: 'GET /in-person/skus',
  tag,
  summary: 'List the SKUs of a country',
  section: 'Spec §4.13',
  query: SkuQuery,
  reply: Page(Sku),
  refusals: ['unknown_token'],
  async handle({ services: { store }, query }) {
    return showPage(store, skus.list(soldIn(query)), query, skus.show);
  },
});

const getSkuRoute = route({
  operation: 'GET /in-person/skus/{id}',
  tag,
  summary: 'Retrieve a SKU',
  section: 'Spec §4.13',
  reply: Sku,
  find: ({ services: { store }, params }) => skus.find(store, params.id),
  handle: async ({ found }) => skus.show(found),
});

export const skuRoutes: readonly Route[] = [listSkusRoute, getSkuRoute];
