import { Refusal } from '../http/refusals.ts';
import type { Services } from '../services.ts';
import { sendAttempt } from './attempt.ts';
import { withoutQuery } from './delivery.ts';
import { findAttempts, saveSentAgain, type DeliveryKey } from './delivery.records.ts';

/**
 * Sends a delivery once more, at once, whatever came of it before, and resolves with the reply of its endpoint saved. Its
 * scheduled attempts remain, unless this one is acknowledged.
 * @throws Refusal `endpoint_inactive`, or `not_found` when the delivery is deleted meanwhile.
 */
export async function sendAgain(services: Services, { eventId, webhookId }: DeliveryKey): Promise<void> {
  const { clock, activities, store } = services;
  const [delivery] = await findAttempts(store, [{ eventId, webhookId }]);
  if (!delivery) throw new Refusal('not_found', { what: 'delivery' });
  if (delivery.active !== 1) throw new Refusal('endpoint_inactive');
  const { acknowledged, text, line } = await sendAttempt(services, delivery, { sentAgain: true });
  const endedMs = clock.nowMs();
  await store.transaction(
    async (tx) => {
      const now = { acknowledged, lastStatus: text, line, endedMs };
      const saved = await saveSentAgain(tx, { eventId, webhookId }, now);
      if (!saved) throw new Refusal('not_found', { what: 'delivery' });
      tx.afterCommit(() =>
        activities.emit({
          kind: 'webhook.attempted',
          eventId,
          webhookId,
          eventType: delivery.event_type,
          url: withoutQuery(delivery.url),
          attempt: saved.attempts,
          answer: text,
          acknowledged,
          nextMs: saved.next_ms,
        }),
      );
    },
    { serializable: 'sentByHand' },
  );
}
