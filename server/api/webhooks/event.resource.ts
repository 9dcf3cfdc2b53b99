import { listRoute } from '../../platform/http/object-routes.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { events, withDeliveries, type EventRow } from './event.records.ts';
import { Event } from './event.schema.ts';

const tag = 'Event';
const section = 'Spec §4.2';

const listEventsRoute = listRoute({
  operation: 'GET /events',
  tag,
  summary: 'List events',
  section,
  accountHeader: true,
  item: Event,
  list: ({ caller }) => events.listOf(caller.accountId),
  showAll: (rows: EventRow[], { services: { store } }) => withDeliveries(store, rows),
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
