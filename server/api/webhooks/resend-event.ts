import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { deliveryJobs } from '../../platform/outbox/delivery.ts';
import { listDeliveries, reopenDeliveries } from '../../platform/outbox/delivery.records.ts';
import { toEvent, type EventRow } from './event.records.ts';
import type { Event } from './event.schema.ts';

/**
 * Resends an event, at once, to each webhook that it was first delivered to, and returns it. The count of attempts
 * continues: an exhausted delivery gets one more attempt, any other keeps its remaining retries.
 */
export async function resendEvent(
  tx: Transaction,
  { clock, jobs }: Pick<Services, 'clock' | 'jobs'>,
  event: EventRow,
): Promise<Event> {
  const { data } = parseJson(event.body);
  // The job of a later retry finds the delivery done, or continues it.
  const nowMs = clock.nowMs();
  const webhookIds = await reopenDeliveries(tx, event.id, nowMs);
  const request = { eventId: event.id, webhookIds, inOrderOf: data.id };
  for (const job of deliveryJobs([request], nowMs)) await jobs.add(tx, job);
  return toEvent(event, await listDeliveries(tx, [event.id]));
}
