import { resendEvent } from '../api/webhooks/event-log.ts';
import { Event } from '../api/webhooks/event.schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import { findEventInScope } from './resend-event.records.ts';

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
  handle: ({ services, found }) => services.store.transaction((tx) => resendEvent(tx, services, found)),
});

export const resendEventRoutes: readonly Route[] = [resendEventRoute];
