import { readPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { listDeliveries } from '../../platform/outbox/delivery.records.ts';
import { EVENT_LIST, findEvent, showEvent, type EventRow } from './event.records.ts';
import { Event } from './event.schema.ts';

const tag = 'Event';
const section = 'Spec §4.2';

export function eventRoutes({ store }: Services): Route[] {
  async function show(rows: readonly EventRow[]): Promise<Event[]> {
    const deliveries = await listDeliveries(
      store,
      rows.map(({ id }) => id),
    );
    return rows.map((row) =>
      showEvent(
        row,
        deliveries.filter((delivery) => delivery.event_id === row.id),
      ),
    );
  }

  return [
    route({
      operation: 'GET /events',
      tag,
      summary: 'List events',
      section,
      accountHeader: true,
      query: PageQuery,
      reply: Page(Event),
      refusals: ['unknown_token'],
      async handle({ caller, query }) {
        const page = await readPage<EventRow>(store, EVENT_LIST(caller.accountId), query);
        return { items: await show(page.rows), paginationToken: page.paginationToken };
      },
    }),
    route({
      operation: 'GET /events/{eventId}',
      tag,
      summary: 'Fetch an event',
      section,
      accountHeader: true,
      reply: Event,
      find: ({ caller, params }) => findEvent(store, caller.accountId, params['eventId']!),
      handle: async ({ found }) => (await show([found]))[0]!,
    }),
  ];
}
