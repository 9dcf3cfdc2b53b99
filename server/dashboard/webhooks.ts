import { jsonResponse, plainRoute, type PlainRoute } from '../platform/http/plain-route.ts';
import { withoutQuery } from '../platform/outbox/delivery.ts';
import { parseJson } from '../platform/store/json-text.ts';
import type { Services } from '../platform/services.ts';
import type { Guard } from './guard.ts';
import type { Recorder } from './recorder.ts';
import type { WebhookAttempt, WebhookDelivery } from './view.ts';
import { listRecentDeliveries } from './webhooks.records.ts';
import type { DashboardPorts } from './ports.ts';

const DELIVERIES_MAX = 200;

/** What the routes need of their server. */
interface WebhookParts {
  services: Pick<Services, 'store'>;
  ports: Pick<DashboardPorts, 'resendEvent'>;
  recorder: Recorder;
  guard: Guard;
}

/** Routes that list deliveries of events and resend an event. */
export const webhookRoutes: readonly PlainRoute<WebhookParts>[] = [
  {
    method: 'GET',
    path: '/dashboard/webhooks',
    async handle(request, { services, recorder, guard }) {
      await guard(request);
      const attempts = byDelivery(recorder.attempts());
      const rows = await listRecentDeliveries(services.store, DELIVERIES_MAX);
      const deliveries = rows.map((row): WebhookDelivery => {
        const { data } = parseJson(row.body);
        const endpointUrl = withoutQuery(row.url);
        return {
          eventId: row.event_id,
          eventType: row.event_type,
          objectId: data.id,
          endpointUrl,
          state: row.state,
          attemptCount: row.attempts,
          lastAnswer: row.last_status,
          createdMs: row.created_ms,
          attempts: attempts.get(attemptKey({ eventId: row.event_id, endpointUrl })) ?? [],
        };
      });
      return jsonResponse({ deliveries });
    },
  },
  plainRoute({
    method: 'POST',
    path: '/dashboard/webhooks/{eventId}/resend',
    async handle(request, { ports, guard }: WebhookParts) {
      const caller = await guard(request);
      return jsonResponse(await ports.resendEvent(caller, request.params.eventId));
    },
  }),
];

function byDelivery(attempts: readonly WebhookAttempt[]): Map<string, WebhookAttempt[]> {
  const grouped = new Map<string, WebhookAttempt[]>();
  for (const attempt of attempts) {
    const key = attemptKey(attempt);
    grouped.set(key, [...(grouped.get(key) ?? []), attempt]);
  }
  return grouped;
}

function attemptKey({ eventId, endpointUrl }: Pick<WebhookAttempt, 'eventId' | 'endpointUrl'>): string {
  return `${eventId} ${endpointUrl}`;
}
