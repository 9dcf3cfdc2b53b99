import { toTimestamp } from '../../../protocol/clock.ts';
import type { AccountDirectory } from '../../platform/account-directory.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { deliveryJob } from '../../platform/outbox/delivery.ts';
import { insertDelivery } from '../../platform/outbox/delivery.records.ts';
import { isStoredOnPlatform, type EventType } from './event-types.ts';
import { insertEvent } from './event.records.ts';
import type { Event } from './event.schema.ts';
import { listListeners } from './webhook.records.ts';

/** Something that has happened to an object of an account. */
export interface Happening {
  type: EventType;
  /** The account that the object belongs to. */
  accountId: string;
  /** The object as the API shows it at this moment. */
  data: { id: string };
  /** The id with whose events this one is delivered in order; that of its own object when not given. */
  inOrderOf?: string;
}

/**
 * Records an event in the transaction that causes it, with a delivery and a job for each endpoint that listens:
 * what is told is told if and only if it happened (Spec §6.1, §6.3). The body written here is the text that
 * every attempt sends, so its `endpoints` are as they stood before the first (docs/choices.md, Webhooks).
 */
export async function recordEvent(
  tx: Transaction,
  services: Pick<Services, 'accounts' | 'clock' | 'ids' | 'jobs' | 'notices'>,
  { type, accountId, data, inOrderOf = data.id }: Happening,
): Promise<void> {
  const { accounts, clock, ids, jobs, notices } = services;
  const nowMs = clock.nowMs();
  const id = ids.make('event');
  const audience = await audienceOf(tx, accounts, accountId);
  const owner = isStoredOnPlatform(type) ? audience.platformId : accountId;
  const listening = audience.listeners.filter(({ eventTypes }) => eventTypes.includes(type));
  const event: Event = {
    id,
    eventType: type,
    data: withoutClientSecret(data),
    endpoints: listening.map(({ webhookId }) => ({ webhookId, acknowledged: false, attempts: 0 })),
    ...(owner === audience.platformId ? {} : { accountId: owner }),
    createdTimestamp: toTimestamp(nowMs),
    lastUpdatedTimestamp: toTimestamp(nowMs),
    deliveryStatus: listening.length > 0 ? 'Pending' : 'NotRequired',
  };
  await insertEvent(tx, { id, accountId: owner, type, body: JSON.stringify(event) }, nowMs);
  for (const { webhookId } of listening) {
    await insertDelivery(tx, id, webhookId);
    await jobs.add(tx, deliveryJob(id, webhookId, inOrderOf, nowMs));
  }
  tx.afterCommit(() =>
    notices.emit({ kind: 'event.recorded', eventId: id, eventType: type, objectId: data.id, body: event }),
  );
}

/**
 * A payment session's client secret completes its payment, so it is only ever told to who asks for the session
 * (Spec §2.2, clientSecret): not stored with an event, not sent to an endpoint.
 */
function withoutClientSecret(data: { id: string; clientSecret?: unknown }): object {
  const { clientSecret: _untold, ...shown } = data;
  return shown;
}

/** Who hears of an account's events: the endpoints of its platform (Spec §6.3). */
interface Audience {
  platformId: string;
  listeners: Awaited<ReturnType<typeof listListeners>>;
}

// A payment records several events in one transaction, in which nothing changes who listens: looked up once.
const audiences = new WeakMap<Transaction, Map<string, Audience>>();

async function audienceOf(tx: Transaction, accounts: AccountDirectory, accountId: string): Promise<Audience> {
  let known = audiences.get(tx);
  if (!known) audiences.set(tx, (known = new Map()));
  let audience = known.get(accountId);
  if (!audience) {
    const platformId = (await accounts.findPlatformId(tx, accountId)) ?? accountId;
    audience = { platformId, listeners: await listListeners(tx, platformId) };
    known.set(accountId, audience);
  }
  return audience;
}
