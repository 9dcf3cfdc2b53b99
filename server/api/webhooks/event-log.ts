import { toTimestamp } from '../../../protocol/clock.ts';
import type { Recipients } from '../../platform/account-directory.ts';
import type { DomainEvent } from '../../platform/domain-events.ts';
import type { Context } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { deliveryJobs } from '../../platform/outbox/delivery-jobs.ts';
import {
  insertDeliveries,
  listDeliveries,
  reopenDeliveries,
} from '../../platform/outbox/delivery.records.ts';
import { isStoredOnPlatform, type EventType } from './event-types.ts';
import { events as storedEvents, toEvent, type EventRow } from './event.records.ts';
import type { Event } from './event.schema.ts';

type EventServices = Pick<Services, 'accounts' | 'clock' | 'ids' | 'jobs' | 'activities'>;

/** Raises an event in the transaction that causes it: the log records it, and other areas subscribe to it. */
export function raise(
  tx: Transaction,
  { events }: Pick<Context, 'events'>,
  event: DomainEvent & { type: EventType },
): void {
  events.raise(tx, event);
}

/**
 * Records events in the transaction that raised them, each with a delivery and a job for each endpoint that listens
 * (Spec §6.1, §6.3). The body written here is the text that every attempt sends, so its `endpoints` are as they were
 * before the first (docs/choices.md, Webhooks).
 */
export async function recordEvents(
  tx: Transaction,
  services: EventServices,
  events: readonly DomainEvent[],
): Promise<void> {
  const { clock, jobs, activities } = services;
  const nowMs = clock.nowMs();
  // The deliveries name webhooks.
  tx.delayReset();
  const recorded = await buildEvents(tx, services, events as readonly (DomainEvent & { type: EventType })[]);
  await storedEvents.insertAll(
    tx,
    recorded.map(({ event, body, owner }) => ({
      id: body.id,
      accountId: owner,
      eventType: body.eventType,
      objectId: event.data.id,
      body,
    })),
    nowMs,
  );
  insertDeliveries(
    tx,
    recorded.flatMap(({ body: { id: eventId, endpoints } }) =>
      endpoints.map(({ webhookId }) => ({ eventId, webhookId })),
    ),
  );
  const requests = recorded.map(({ body, event }) => ({
    eventId: body.id,
    webhookIds: body.endpoints.map(({ webhookId }) => webhookId),
    inOrderOf: event.inOrderOf ?? event.data.id,
  }));
  for (const job of deliveryJobs(requests, nowMs)) await jobs.add(tx, job);
  for (const { body, event } of recorded) {
    const { id, eventType } = body;
    const objectId = event.data.id;
    tx.afterCommit(() => activities.emit({ kind: 'event.recorded', eventId: id, eventType, objectId, body }));
  }
}

/** Returns events with their bodies and the accounts that they are stored on. Reads each account's webhooks once. */
async function buildEvents(
  tx: Transaction,
  { accounts, clock, ids }: EventServices,
  events: readonly (DomainEvent & { type: EventType })[],
): Promise<{ event: DomainEvent; body: Event; owner: string }[]> {
  const createdTimestamp = toTimestamp(clock.nowMs());
  const recipients = new Map<string, Recipients>();
  for (const { accountId } of events) {
    if (!recipients.has(accountId)) recipients.set(accountId, await accounts.findRecipients(tx, accountId));
  }
  return events.map((event) => {
    const { type, accountId, data } = event;
    const { platformId, webhooks } = recipients.get(accountId)!;
    const owner = isStoredOnPlatform(type) ? platformId : accountId;
    const endpoints = webhooks
      .filter(({ eventTypes }) => eventTypes.includes(type))
      .map(({ webhookId }) => ({ webhookId, acknowledged: false, attempts: 0 }));
    const body: Event = {
      id: ids.make('event'),
      eventType: type,
      data: withoutClientSecret(data),
      endpoints,
      ...(owner === platformId ? {} : { accountId: owner }),
      createdTimestamp,
      lastUpdatedTimestamp: createdTimestamp,
      deliveryStatus: endpoints.length > 0 ? 'Pending' : 'None',
    };
    return { event, body, owner };
  });
}

/**
 * Returns the object without its client secret, which is only in the response of the session itself (Spec §2.2,
 * clientSecret): events neither store nor deliver it.
 */
function withoutClientSecret(data: { id: string; clientSecret?: unknown }): object {
  const { clientSecret: _secret, ...shown } = data;
  return shown;
}

/**
 * Resends an event, at once, to each webhook that it was first delivered to, and returns it. The count of attempts
 * continues: an exhausted delivery gets one more attempt, any other keeps its remaining retries.
 */
export async function resendEvent(
  tx: Transaction,
  { clock, jobs }: Pick<Services, 'clock' | 'jobs'>,
  event: EventRow,
): Promise<Event> {
  // The job of a later retry finds the delivery done, or continues it.
  const nowMs = clock.nowMs();
  const webhookIds = await reopenDeliveries(tx, event.id, nowMs);
  const request = { eventId: event.id, webhookIds, inOrderOf: event.object_id };
  for (const job of deliveryJobs([request], nowMs)) await jobs.add(tx, job);
  return toEvent(event, await listDeliveries(tx, [event.id]));
}
