import {
  Delivery,
  DeliveryQuery,
  DeliverySummary,
  WebhookEndpoint,
} from '../platform/outbox/delivery.schema.ts';
import type { Queries, Row } from '../platform/store/store.ts';
import { contains, pattern } from '../platform/store/page-source.ts';
import { accountScopeOf } from '../api/accounts/account.records.ts';
import { events, type EventRow } from '../api/webhooks/event.records.ts';
import type { Caller } from '../platform/http/auth.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { resendEvent } from '../api/webhooks/event-log.ts';
import { Event } from '../api/webhooks/event.schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import { readPage } from '../platform/http/paging.ts';
import { List, Page } from '../platform/http/paging.schema.ts';
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

interface CauseRow extends Row {
  id: string;
  method: string;
  path: string;
  status: number | null;
  while_it_ran: number;
}

/**
 * Returns the stored request that caused an event: the one about its object that ran when it was recorded, or else the
 * latest one before. A payment at a terminal, for one, goes on after its request was answered.
 */
async function causeOf(
  queries: Queries,
  { objectId, createdMs }: { objectId: string; createdMs: number },
): Promise<Delivery['request']> {
  const row = await queries.get<CauseRow>(
    `SELECT id, method, path, status,
       CASE WHEN created_ms + elapsed_us / 1000 + 1 >= ? THEN 1 ELSE 0 END AS while_it_ran
     FROM requests
     WHERE created_ms <= ? AND method <> 'GET' AND (status IS NULL OR status < 400) AND ${contains('object_ids')}
     ORDER BY while_it_ran DESC, seq DESC LIMIT 1`,
    createdMs,
    createdMs,
    pattern(` ${objectId} `),
  );
  if (!row) return null;
  const { id, method, path, status, while_it_ran: whileItRan } = row;
  return { id, method, path, status, whileItRan: whileItRan === 1 };
}

/**
 * Returns an event in the caller's scope.
 * @throws Refusal `not_found`.
 */
async function findEventInScope(queries: Queries, caller: Caller, id: string): Promise<EventRow> {
  const row = await events.findWithin(queries, accountScopeOf(caller), id);
  if (!row) throw new Refusal('not_found', { what: 'event' });
  return row;
}

const resendEventRoute = route({
  operation: 'POST /sandbox/events/{eventId}/deliver',
  surface: 'sandbox',
  tag: 'Sandbox event',
  summary: 'Deliver an event again',
  section: 'Sandbox',
  access: 'dashboard',
  accountHeader: true,
  reply: Event,
  find: ({ services: { store }, caller, params }) => findEventInScope(store, caller, params.eventId),
  handle: ({ services, found }) =>
    services.store.transaction((tx) => resendEvent(tx, services, found), { serializable: 'sentByHand' }),
});

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

async function view(
  { store, requestLog }: Pick<Services, 'store' | 'requestLog'>,
  row: DeliveryRow,
): Promise<Delivery> {
  await requestLog?.flush();
  const delivery = toDelivery(row, null);
  const cause = await causeOf(store, { objectId: delivery.objectId, createdMs: row.created_ms });
  return { ...delivery, request: cause };
}

export const deliveryRoutes: readonly Route[] = [
  resendEventRoute,
  listEndpointsRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  sendDeliveryRoute,
];
