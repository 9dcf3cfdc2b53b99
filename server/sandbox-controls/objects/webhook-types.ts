import { type EventRow, events, withDeliveries } from '../../api/webhooks/event.records.ts';
import { type WebhookRow, webhooks } from '../../api/webhooks/webhook.records.ts';
import { objectAction } from './object-action.ts';
import { objectType, shownBy, tableOf } from './object-type.ts';

export const event = objectType<EventRow>({
  ...tableOf(events),
  category: 'event_type',
  references: [
    { to: 'any', column: 'object_id' },
    {
      to: 'webhook',
      where: 'EXISTS (SELECT 1 FROM deliveries WHERE event_id = events.id AND webhook_id = ?)',
      readWhole: true,
      named: 'SELECT webhook_id AS id FROM deliveries WHERE event_id = ?',
    },
  ],
  show: ({ store }, rows) => withDeliveries(store, rows),
  label: (row) => row.event_type,
  actions: (_context, row) => [
    objectAction({
      operation: 'POST /sandbox/events/{eventId}/deliver',
      params: { eventId: row.id },
      name: 'deliver',
      label: 'Deliver again',
      accountId: row.account_id,
    }),
  ],
});

export const webhook = objectType<WebhookRow>({
  ...tableOf(webhooks),
  references: [],
  show: shownBy((row) => webhooks.show(row)),
  label: (row) => row.url.split('?')[0]!,
});
