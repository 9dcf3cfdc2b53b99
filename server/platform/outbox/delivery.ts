import type { Job, JobRequest } from '../scheduler/jobs.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/store.ts';
import { sendAttempt, type Attempt } from './attempt.ts';
import {
  findAttempt,
  saveDelivery,
  scheduledAttempts,
  type AttemptRow,
  type DeliveryUpdate,
} from './delivery.records.ts';

const DELIVERY_JOB = 'webhook.deliver';

/** What is under way to one endpoint at once, at most: a receiver that hangs holds up no more than this. */
export const LANES_PER_ENDPOINT = 32;

/** What is under way at once to all endpoints together: a connection, and the text of an event, for each. */
export const DELIVERIES_AT_ONCE = 512;

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
 * Returns the jobs that deliver events of one transaction. Jobs of one subject are done one after another, so the
 * subject is a lane to the endpoint: events of one object take the same lane and arrive in order, as long as none has to
 * be tried again. Events of one lane share a job.
 */
export function deliveryJobs(requests: readonly DeliveryRequest[], dueMs: number): JobRequest[] {
  const lanes = new Map<string, DeliveryPayload>();
  for (const { eventId, webhookIds, inOrderOf } of requests) {
    for (const webhookId of webhookIds) {
      const subject = `${webhookId}/${checksum(inOrderOf) % LANES_PER_ENDPOINT}`;
      const lane = lanes.get(subject);
      if (lane) lane.eventIds.push(eventId);
      else lanes.set(subject, { eventIds: [eventId], webhookId });
    }
  }
  return [...lanes].map(([subject, payload]) => jobOf(subject, payload, dueMs));
}

function jobOf(subject: string, payload: DeliveryPayload, dueMs: number): JobRequest {
  return { kind: DELIVERY_JOB, queue: payload.webhookId, subject, payload, dueMs };
}

/** Returns the FNV-1a hash of a text, 32 bits. */
function checksum(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

const MINUTE_MS = 60_000;

/** The pause after each attempt of the schedule, from its end (Spec §6.7). */
const RETRY_PAUSES_MS = [0, 1, 5, 10, 10, 10].map((minutes) => minutes * MINUTE_MS);

/** Makes this instance do the deliveries of recorded events. */
export function registerDelivery(services: Services): void {
  services.jobs.handle(DELIVERY_JOB, (job) => deliver(services, job), { atOnce: DELIVERIES_AT_ONCE });
}

/**
 * Attempts each event once, the next as soon as the one before is answered. What came of the last attempt and what
 * becomes of the job are one commit, so neither is ever lost. An event that has to be tried again ends the job: it and
 * the events after it get jobs of their own.
 */
async function deliver(services: Services, job: Job): Promise<void> {
  const { jobs, store } = services;
  const { eventIds, webhookId } = payloadOf(job);
  let saved: Promise<unknown> = Promise.resolve();
  for (const [index, eventId] of eventIds.entries()) {
    const attempted = await attemptEvent(services, eventId, webhookId);
    const rest = eventIds.slice(index + 1);
    if (rest.length > 0 && attempted?.now.againMs === undefined) {
      if (attempted) saved = Promise.all([saved, store.transaction((tx) => save(tx, services, attempted))]);
      // Awaited once the next event is answered.
      saved.catch(() => undefined);
      continue;
    }
    await saved;
    return store.transaction(async (tx) => {
      const isSaved = attempted !== undefined && (await save(tx, services, attempted));
      const againMs = isSaved ? attempted.now.againMs : undefined;
      if (againMs !== undefined && eventIds.length === 1) return jobs.finish(tx, job, { again: againMs });
      const later = (ids: string[], dueMs: number) =>
        jobs.add(tx, jobOf(job.subject, { eventIds: ids, webhookId }, dueMs));
      if (againMs !== undefined) await later([eventId], againMs);
      if (rest.length > 0) await later(rest, job.dueMs);
      await jobs.finish(tx, job, 'done');
    });
  }
}

/** Earlier versions wrote jobs of one event. */
function payloadOf({ payload }: Job): DeliveryPayload {
  const written = payload as DeliveryPayload | { eventId: string; webhookId: string };
  return 'eventIds' in written ? written : { eventIds: [written.eventId], webhookId: written.webhookId };
}

/** An attempt of a delivery; undefined for an endpoint that is sent nothing more. */
interface Attempted {
  eventId: string;
  webhookId: string;
  delivery: AttemptRow;
  attempt: Attempt | undefined;
  now: DeliveryUpdate;
}

/** Attempts one delivery. Returns undefined when it is done already. */
async function attemptEvent(
  services: Services,
  eventId: string,
  webhookId: string,
): Promise<Attempted | undefined> {
  const delivery = await findAttempt(services.store, eventId, webhookId);
  if (delivery?.state !== 'Pending') return undefined;
  const attempt =
    delivery.active === 1 ? await sendAttempt(services, delivery, { sentAgain: false }) : undefined;
  const endedMs = services.clock.nowMs();
  const now = attempt ? afterAttempt(scheduledAttempts(delivery) + 1, attempt, endedMs) : notSent(endedMs);
  return { eventId, webhookId, delivery, attempt, now };
}

/** Saves what came of an attempt. Returns false when another instance has made and saved this attempt meanwhile. */
async function save(tx: Transaction, { notices }: Services, attempted: Attempted): Promise<boolean> {
  const { eventId, webhookId, delivery, attempt, now } = attempted;
  const scheduledBefore = scheduledAttempts(delivery);
  const isSaved = await saveDelivery(tx, { eventId, webhookId, scheduledBefore }, now);
  if (isSaved && attempt) {
    tx.afterCommit(() =>
      notices.emit({
        kind: 'webhook.attempted',
        eventId,
        webhookId,
        eventType: delivery.event_type,
        url: withoutQuery(delivery.url),
        attempt: delivery.attempts + 1,
        answer: attempt.text,
        acknowledged: attempt.acknowledged,
        nextMs: now.againMs ?? null,
      }),
    );
  }
  return isSaved;
}

function afterAttempt(
  scheduled: number,
  { acknowledged, text, line }: Attempt,
  endedMs: number,
): DeliveryUpdate {
  const update = { attempts: 1, lastStatus: text, line, endedMs };
  if (acknowledged) return { ...update, state: 'Acknowledged' };
  const pauseMs = RETRY_PAUSES_MS[scheduled - 1];
  if (pauseMs === undefined) return { ...update, state: 'Failed' };
  return { ...update, state: 'Pending', againMs: endedMs + pauseMs };
}

/** An endpoint that was deleted or made inactive since the event is sent nothing more. */
function notSent(endedMs: number): DeliveryUpdate {
  return {
    state: 'Failed',
    attempts: 0,
    lastStatus: 'not sent: the endpoint is inactive',
    line: '',
    endedMs,
  };
}

/** Some receivers know their callers by a token in the query; notices can be read by any listener. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
