import type { DeliverySummary, WebhookAttempt } from '../../view.ts';

/** Returns deliveries as they are after the attempts that were made since they were listed. */
export function afterAttempts(
  listed: readonly DeliverySummary[],
  attempts: readonly WebhookAttempt[],
): DeliverySummary[] {
  const latest = new Map(attempts.map((attempt) => [deliveryIdOf(attempt), attempt]));
  return listed.map((delivery) => {
    const attempt = latest.get(delivery.id);
    return attempt && attempt.attempt > delivery.attempts ? afterAttempt(delivery, attempt) : delivery;
  });
}

export function deliveryIdOf({ eventId, webhookId }: WebhookAttempt): string {
  return `${eventId}.${webhookId}`;
}

function afterAttempt(
  delivery: DeliverySummary,
  { attempt, atMs, answer, acknowledged, nextMs }: WebhookAttempt,
): DeliverySummary {
  const lastAttemptTimestamp = Math.floor(atMs / 1000);
  const nextAttemptTimestamp = nextMs === null ? null : Math.ceil(nextMs / 1000);
  const attempted = { ...delivery, attempts: attempt, lastResult: answer, lastAttemptTimestamp };
  if (acknowledged) return { ...attempted, status: 'Delivered', nextAttemptTimestamp };
  if (nextMs !== null) return { ...attempted, status: 'Retrying', nextAttemptTimestamp };
  // A failure by hand does not undo an earlier success.
  const status = delivery.status === 'Delivered' ? 'Delivered' : 'Failed';
  return { ...attempted, status, nextAttemptTimestamp };
}

/** Returns a list with an item moved by a number of places, as far as there are places. */
export function moved<Item>(items: readonly Item[], from: number, by: number): Item[] {
  const to = Math.min(items.length - 1, Math.max(0, from + by));
  const others = items.toSpliced(from, 1);
  return others.toSpliced(to, 0, items[from]!);
}
