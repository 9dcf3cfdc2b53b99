import { deliverAgain } from '../api/webhooks/deliver-again.ts';
import { Event } from '../api/webhooks/event.schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import type { Services } from '../platform/services.ts';
import { findControlledEvent } from './deliver.records.ts';

export function deliverRoutes(services: Services): Route[] {
  const { store } = services;
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
      handle: ({ found }) => store.transaction((tx) => deliverAgain(tx, services, found)),
    }),
  ];
}
