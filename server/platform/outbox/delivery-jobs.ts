import type { Job, JobRequest } from '../scheduler/jobs.ts';
import type { DeliveryKey } from './delivery.records.ts';

export const DELIVERY_JOB = 'webhook.deliver';

/** What is under way to one endpoint at once, at most: a receiver that hangs holds up no more than this. */
export const LANES_PER_ENDPOINT = 32;

/** An event to be delivered to some endpoints. */
interface DeliveryRequest {
  eventId: string;
  webhookIds: readonly string[];
  /** The object with whose events it is delivered in order. */
  inOrderOf: string;
}

/** What a job delivers: events of one lane, in order. */
interface DeliveryPayload {
  eventIds: string[];
  webhookId: string;
}

/**
 * Returns the jobs that deliver events of one transaction. Jobs of one key are done one after another, so the
 * key is a lane to the endpoint: events of one object take the same lane and arrive in order, as long as none has to
 * be tried again. Events of one lane share a job.
 */
export function deliveryJobs(requests: readonly DeliveryRequest[], dueMs: number): JobRequest[] {
  const lanes = new Map<string, DeliveryPayload>();
  for (const { eventId, webhookIds, inOrderOf } of requests) {
    for (const webhookId of webhookIds) {
      const key = `${webhookId}/${checksum(inOrderOf) % LANES_PER_ENDPOINT}`;
      const lane = lanes.get(key);
      if (lane) lane.eventIds.push(eventId);
      else lanes.set(key, { eventIds: [eventId], webhookId });
    }
  }
  return [...lanes].map(([key, payload]) => jobOf(key, payload, dueMs));
}

/** Returns a job that delivers events of one lane. */
export function jobOf(key: string, payload: DeliveryPayload, dueMs: number): JobRequest {
  return { kind: DELIVERY_JOB, queue: payload.webhookId, key, payload, dueMs };
}

/** Returns the FNV-1a hash of a text, 32 bits. */
function checksum(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/** Returns the events that a job delivers, by its payload. */
export const eventIdsOf = (payload: unknown): string[] => payloadOf({ payload }).eventIds;

/** Returns what a job delivers. Earlier versions wrote jobs of one event. */
export function payloadOf({ payload }: Pick<Job, 'payload'>): DeliveryPayload {
  const written = payload as DeliveryPayload | DeliveryKey;
  return 'eventIds' in written ? written : { eventIds: [written.eventId], webhookId: written.webhookId };
}
