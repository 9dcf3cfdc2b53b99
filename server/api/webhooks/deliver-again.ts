import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { deliveryJob } from '../../platform/outbox/delivery.ts';
import { listDeliveries, reopenDeliveries } from '../../platform/outbox/delivery.records.ts';
import { showEvent, type EventRow } from './event.records.ts';
import type { Event } from './event.schema.ts';

/**
 * Delivers an event again, at once, to each endpoint that listened for it when it happened. Attempts go on being
 * counted: one that had used up its retries gets one more, another goes on with those it has left.
 */
export async function deliverAgain(
  tx: Transaction,
  { clock, jobs }: Pick<Services, 'clock' | 'jobs'>,
  event: EventRow,
): Promise<Event> {
  const { data } = parseJson(event.body);
  // A job that waits for a later retry finds the work done by this one, or goes on with it.
  for (const webhookId of await reopenDeliveries(tx, event.id)) {
    await jobs.add(tx, deliveryJob(event.id, webhookId, data.id, clock.nowMs()));
  }
  return showEvent(event, await listDeliveries(tx, [event.id]));
}
