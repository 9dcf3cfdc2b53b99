import type { WebhookAttempt, WebhookDelivery } from '../../view.ts';

/** The delivery of an event to one endpoint. */
export interface Delivery {
  key: string;
  eventId: string;
  eventType: string;
  objectId: string | null;
  endpointUrl: string;
  /** Known attempts, oldest first. */
  attempts: WebhookAttempt[];
  attemptCount: number;
  lastAnswer: string | null;
  status: 'delivered' | 'retrying' | 'failed' | 'pending';
  nextMs: number | null;
  /** Time of the last attempt, or of the event. */
  atMs: number;
}

/** Merges the deliveries that the server listed with the attempts since, newest first, each attempt once. */
export function deliveriesOf(
  listed: readonly WebhookDelivery[],
  since: readonly WebhookAttempt[],
): Delivery[] {
  const known = new Map<string, WebhookDelivery>();
  for (const delivery of listed) known.set(keyOf(delivery), delivery);
  for (const attempt of since) {
    const before = known.get(keyOf(attempt)) ?? newDelivery(attempt);
    known.set(keyOf(attempt), { ...before, attempts: [...before.attempts, attempt] });
  }
  return [...known].map(([key, delivery]) => deliveryOf(key, delivery)).sort((a, b) => b.atMs - a.atMs);
}

function keyOf({ eventId, endpointUrl }: Pick<WebhookAttempt, 'eventId' | 'endpointUrl'>): string {
  return `${eventId} ${endpointUrl}`;
}

function newDelivery({ eventId, eventType, endpointUrl, atMs }: WebhookAttempt): WebhookDelivery {
  const nothing = { objectId: null, attemptCount: 0, lastAnswer: null, attempts: [] };
  return { eventId, eventType, endpointUrl, state: 'Pending', createdMs: atMs, ...nothing };
}

const STATUS_BY_STATE = { Pending: 'pending', Acknowledged: 'delivered', Failed: 'failed' } as const;

function deliveryOf(key: string, delivery: WebhookDelivery): Delivery {
  const byNumber = new Map(delivery.attempts.map((attempt) => [attempt.attempt, attempt]));
  const attempts = [...byNumber.values()].sort((a, b) => a.attempt - b.attempt);
  const last = attempts.at(-1);
  const { eventId, eventType, objectId, endpointUrl, attemptCount, createdMs, lastAnswer, state } = delivery;
  return {
    key,
    eventId,
    eventType,
    objectId,
    endpointUrl,
    attempts,
    attemptCount: Math.max(attemptCount, last?.attempt ?? 0),
    lastAnswer: last?.answer ?? lastAnswer,
    // The last attempt may be newer than the list.
    status: last ? statusOf(last) : STATUS_BY_STATE[state],
    nextMs: last && !last.acknowledged ? last.nextMs : null,
    atMs: last?.atMs ?? createdMs,
  };
}

function statusOf({ acknowledged, nextMs }: WebhookAttempt): Delivery['status'] {
  if (acknowledged) return 'delivered';
  return nextMs === null ? 'failed' : 'retrying';
}
