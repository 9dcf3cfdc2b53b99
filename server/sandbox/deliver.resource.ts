import { deliveryJob } from '../events/delivery.ts';
import { listDeliveries } from '../events/delivery.records.ts';
import { showEvent } from '../events/event.records.ts';
import { Event } from '../events/event.resource.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { findControlledEvent, reopenDeliveries } from './deliver.records.ts';

/**
 * Delivers an event again, at once, to each endpoint that listened for it when it happened. Attempts go on being
 * counted: one that had used up its retries gets one more, another goes on with those it has left.
 */
export function deliverRoutes({ clock, jobs, store }: Services): Route[] {
  return [
    route({
      operation: 'POST /sandbox/events/{eventId}/deliver',
      surface: 'sandbox',
      tag: 'Sandbox event',
      summary: 'Deliver an event again',
      section: 'Sandbox',
      accountHeader: true,
      reply: Event,
      find: ({ caller, params }) => findControlledEvent(store, caller, params['eventId']!),
      handle: ({ found }) =>
        store.transaction(async (tx) => {
          const { data } = JSON.parse(found.body) as { data: { id: string } };
          // A job that waits for a later retry finds the work done by this one, or goes on with it.
          for (const webhookId of await reopenDeliveries(tx, found.id)) {
            await jobs.add(tx, deliveryJob(found.id, webhookId, data.id, clock.nowMs()));
          }
          return showEvent(found, await listDeliveries(tx, [found.id]));
        }),
    }),
  ];
}
