import { readPage } from '../platform/http/paging.ts';
import { List, Page } from '../platform/http/paging.schema.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import {
  Delivery,
  DeliveryQuery,
  DeliverySummary,
  WebhookEndpoint,
} from '../platform/outbox/delivery.schema.ts';
import { sendAgain } from '../platform/outbox/send-again.ts';
import type { Services } from '../platform/services.ts';
import {
  deliveryList,
  findDelivery,
  LISTED_DELIVERY,
  toDelivery,
  toDeliverySummary,
  type DeliveryRow,
} from './delivery-list.records.ts';
import { listEndpoints } from './endpoint-health.records.ts';
import { causeOf } from './event-cause.records.ts';

const common = {
  surface: 'sandbox',
  tag: 'Sandbox delivery',
  section: 'Sandbox',
  access: 'dashboard',
} as const;

const listEndpointsRoute = route({
  ...common,
  operation: 'GET /sandbox/webhooks',
  summary: 'List the webhook endpoints with their health, newest first',
  reply: List(WebhookEndpoint),
  handle: async ({ services: { store } }) => ({ items: await listEndpoints(store) }),
});

const listDeliveriesRoute = route({
  ...common,
  operation: 'GET /sandbox/deliveries',
  summary: 'List the deliveries of events to webhook endpoints',
  query: DeliveryQuery,
  reply: Page(DeliverySummary),
  refusals: ['unknown_token'],
  async handle({ services: { store }, query }) {
    const page = await readPage<DeliveryRow>(store, deliveryList(query), query, LISTED_DELIVERY);
    return { items: page.rows.map(toDeliverySummary), paginationToken: page.paginationToken };
  },
});

const getDeliveryRoute = route({
  ...common,
  operation: 'GET /sandbox/deliveries/{deliveryId}',
  summary: 'Retrieve a delivery with its attempts and their replies',
  reply: Delivery,
  find: ({ services: { store }, params }) => findDelivery(store, params.deliveryId),
  handle: ({ services, found }) => view(services, found),
});

const sendDeliveryRoute = route({
  ...common,
  operation: 'POST /sandbox/deliveries/{deliveryId}/send',
  summary: 'Send a delivery again, once, and return it with the reply of its endpoint',
  reply: Delivery,
  refusals: ['endpoint_inactive'],
  worksOutside: true,
  find: ({ services: { store }, params }) => findDelivery(store, params.deliveryId),
  async handle({ services, found }) {
    await sendAgain(services, { eventId: found.event_id, webhookId: found.webhook_id });
    const sent = await findDelivery(services.store, found.id);
    if (!sent) throw new Refusal('not_found', { what: 'delivery' });
    return view(services, sent);
  },
});

async function view({ store, requestLog }: Services, row: DeliveryRow): Promise<Delivery> {
  await requestLog?.flush();
  const delivery = toDelivery(row, null);
  const cause = await causeOf(store, { objectId: delivery.objectId, createdMs: row.created_ms });
  return { ...delivery, request: cause };
}

export const deliveryRoutes: readonly Route[] = [
  listEndpointsRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  sendDeliveryRoute,
];
