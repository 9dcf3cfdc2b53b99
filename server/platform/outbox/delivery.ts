import { Fault } from '../../../protocol/failures.ts';
import { VERSION } from '../../../protocol/version.ts';
import type { Job, JobOutcome, JobRequest } from '../scheduler/jobs.ts';
import type { Services } from '../services.ts';
import { findAttempt, saveDelivery, type AttemptRow, type DeliveryState } from './delivery.records.ts';
import { SIGNATURE_HEADER, signatureOf } from './signature.ts';
import type { Outgoing } from '../outgoing.ts';

const DELIVERY_JOB = 'webhook.deliver';

/** What is under way to one endpoint at once, at most: a receiver that hangs holds up no more than this. */
export const LANES_PER_ENDPOINT = 32;

/** What is under way at once to all endpoints together: a connection, and the text of an event, for each. */
export const DELIVERIES_AT_ONCE = 512;

/**
 * The job that brings an event to an endpoint. Jobs of one subject are done one after another, so the subject is a
 * lane to the endpoint: events of one object take the same lane and arrive in order, as long as none has to be
 * tried again.
 */
export function deliveryJob(eventId: string, webhookId: string, objectId: string, dueMs: number): JobRequest {
  const lane = checksum(objectId) % LANES_PER_ENDPOINT;
  const subject = `${webhookId}/${lane}`;
  return { kind: DELIVERY_JOB, queue: webhookId, subject, payload: { eventId, webhookId }, dueMs };
}

/** Returns the FNV-1a hash of a text, 32 bits. */
function checksum(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/** How long a receiver has to answer, real time (docs/choices.md, Webhooks). */
const ATTEMPT_TIMEOUT_MS = 10_000;

const MINUTE_MS = 60_000;

/** The pause before each further attempt, from the end of the one before (Spec §6.7). */
const RETRY_PAUSES_MS = [0, 1, 5, 10, 10, 10].map((minutes) => minutes * MINUTE_MS);

/** Makes this instance do the deliveries of recorded events. */
export function registerDelivery(services: Services): void {
  services.jobs.handle(DELIVERY_JOB, (job) => deliver(services, job), { atOnce: DELIVERIES_AT_ONCE });
}

/** One attempt at most. What came of it and what becomes of its job are one commit, so neither is ever lost. */
async function deliver(services: Services, job: Job): Promise<void> {
  const { clock, jobs, notices, outgoing, store } = services;
  const { eventId, webhookId } = job.payload as { eventId: string; webhookId: string };
  const delivery = await findAttempt(store, eventId, webhookId);
  if (delivery?.state !== 'Pending') return store.transaction((tx) => jobs.finish(tx, job, 'done'));

  const answer = delivery.active === 1 ? await attempt(outgoing, delivery) : undefined;
  const nowMs = clock.nowMs();
  const now = answer ? afterAttempt(delivery.attempts + 1, answer, nowMs) : notSent(delivery.attempts);
  await store.transaction(async (tx) => {
    const kept = await saveDelivery(
      tx,
      { eventId, webhookId, attemptsBefore: delivery.attempts },
      now,
      nowMs,
    );
    // Somebody else made this attempt meanwhile, and has written what came of it.
    if (!kept) return jobs.finish(tx, job, 'done');
    await jobs.finish(tx, job, now.job);
    if (!answer) return;
    tx.afterCommit(() =>
      notices.emit({
        kind: 'webhook.attempted',
        eventId,
        eventType: delivery.event_type,
        url: withoutQuery(delivery.url),
        attempt: now.attempts,
        answer: answer.text,
        acknowledged: answer.acknowledged,
        nextMs: now.job === 'done' ? null : now.job.again,
      }),
    );
  });
}

interface Answer {
  /** Receivers acknowledge with any 2xx (docs/choices.md, Webhooks). */
  acknowledged: boolean;
  text: string;
}

/** Sends the recorded text, signed. No answer is an answer too; only a fault of our own is thrown. */
async function attempt(outgoing: Outgoing, { url, body, secret }: AttemptRow): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': `tapbench/${VERSION}`,
    [SIGNATURE_HEADER]: signatureOf(secret, body),
  };
  try {
    const { status } = await outgoing.post({ url, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS });
    return { acknowledged: status >= 200 && status < 300, text: String(status) };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'transport') throw thrown;
    return { acknowledged: false, text: thrown.message };
  }
}

/** New state of a delivery after an attempt, and what happens to its job. */
interface DeliveryUpdate {
  state: DeliveryState;
  attempts: number;
  lastStatus: string;
  job: JobOutcome;
}

function afterAttempt(attempts: number, { acknowledged, text }: Answer, endedMs: number): DeliveryUpdate {
  const update = { attempts, lastStatus: text };
  if (acknowledged) return { ...update, state: 'Acknowledged', job: 'done' };
  const pauseMs = RETRY_PAUSES_MS[attempts - 1];
  if (pauseMs === undefined) return { ...update, state: 'Failed', job: 'done' };
  return { ...update, state: 'Pending', job: { again: endedMs + pauseMs } };
}

/** An endpoint that was deleted or made inactive since the event is sent nothing more. */
function notSent(attempts: number): DeliveryUpdate {
  return { state: 'Failed', attempts, lastStatus: 'not sent: the endpoint is inactive', job: 'done' };
}

/** Some receivers know their callers by a token in the query; notices can be read by any listener. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
