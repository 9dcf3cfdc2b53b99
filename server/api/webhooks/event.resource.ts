import { readPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { listDeliveries } from '../../platform/outbox/delivery.records.ts';
import { EVENT_LIST, findEvent, showEvent, type EventRow } from './event.records.ts';
import { Event } from './event.schema.ts';
import type { Queries } from '../../platform/store/store.ts';

const tag = 'Event';
const section = 'Spec §4.2';

async function show(queries: Queries, rows: readonly EventRow[]): Promise<Event[]> {
  const deliveries = await listDeliveries(
    queries,
    rows.map(({ id }) => id),
  );
  return rows.map((row) =>
    showEvent(
      row,
      deliveries.filter((delivery) => delivery.event_id === row.id),
    ),
  );
}

const listEventsRoute = route({
  operation: 'GET /events',
  tag,
  summary: 'List events',
  section,
  accountHeader: true,
  query: PageQuery,
  reply: Page(Event),
  refusals: ['unknown_token'],
  async handle({ services: { store }, caller, query }) {
    const page = await readPage<EventRow>(store, EVENT_LIST(caller.accountId), query);
    return { items: await show(store, page.rows), paginationToken: page.paginationToken };
  },
});

const getEventRoute = route({
  operation: 'GET /events/{eventId}',
  tag,
  summary: 'Fetch an event',
  section,
  accountHeader: true,
  reply: Event,
  find: ({ services: { store }, caller, params }) => findEvent(store, caller.accountId, params.eventId),
  handle: async ({ services: { store }, found }) => (await show(store, [found]))[0]!,
});

export const eventRoutes: readonly Route[] = [listEventsRoute, getEventRoute];
