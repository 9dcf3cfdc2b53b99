import { Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { Page, PageQuery, readPage } from '../../platform/http/paging.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { listDeliveries } from '../../platform/outbox/delivery.records.ts';
import { EVENT_TYPE_NAMES } from '../../platform/outbox/event-types.ts';
import { EVENT_LIST, findEvent, showEvent, type EventRow } from '../../platform/outbox/event.records.ts';

const tag = 'Event';
const section = 'Spec §4.2';

export const DeliveryStatus = Type.Enum(['Pending', 'Success', 'Failed', 'NotRequired']);
export type DeliveryStatus = Static<typeof DeliveryStatus>;

/** What happened, and whom it was told: Spec §6. A delivered webhook has this shape too. */
export const Event = Type.Object(
  {
    id: Id('event'),
    eventType: Type.Enum(EVENT_TYPE_NAMES),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The whole object that the event is about, as it was at that moment',
      },
    ),
    endpoints: Type.Array(
      Type.Object({ webhookId: Id('webhook'), acknowledged: Type.Boolean(), attempts: Type.Integer() }),
      { description: 'The endpoints that listened for it; empty when none did' },
    ),
    accountId: Type.Optional(Id('account')),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
    deliveryStatus: DeliveryStatus,
  },
  { title: 'Event' },
);
export type Event = Static<typeof Event>;

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
