import { readPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { events, withDeliveries, type EventRow } from './event.records.ts';
import { Event } from './event.schema.ts';

const tag = 'Event';
const section = 'Spec §4.2';

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
    const page = await readPage<EventRow>(store, events.listOf(caller.accountId), query);
    return { items: await withDeliveries(store, page.rows), paginationToken: page.paginationToken };
  },
});

const getEventRoute = route({
  operation: 'GET /events/{eventId}',
  tag,
  summary: 'Retrieve an event',
  section,
  accountHeader: true,
  reply: Event,
  find: ({ services: { store }, caller, params }) => events.find(store, caller.accountId, params.eventId),
  handle: async ({ services: { store }, found }) => (await withDeliveries(store, [found]))[0]!,
});

export const eventRoutes: readonly Route[] = [listEventsRoute, getEventRoute];
