import { Fault } from '../../../protocol/failures.ts';
import { DEFAULT_SANDBOX } from '../../../protocol/sandbox-topics.ts';
import { VERSION } from '../../../protocol/version.ts';
import type { Job, JobRequest } from '../scheduler/jobs.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/store.ts';
import { findAttempt, saveDelivery, type AttemptRow, type DeliveryState } from './delivery.records.ts';
import { SIGNATURE_HEADER, signatureOf } from './signature.ts';
import type { Outgoing } from '../outgoing.ts';

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

/** How long a receiver has to answer, real time (docs/choices.md, Webhooks). */
const ATTEMPT_TIMEOUT_MS = 10_000;

const MINUTE_MS = 60_000;

/** The pause before each further attempt, from the end of the one before (Spec §6.7). */
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

/** An attempt of a delivery, or why there was none. */
interface Attempted {
  eventId: string;
  webhookId: string;
  delivery: AttemptRow;
  answer: Answer | undefined;
  now: DeliveryUpdate;
}

/** Attempts one delivery. Returns undefined when it is done already. */
async function attemptEvent(
  { clock, outgoing, store, settings: { sandbox = DEFAULT_SANDBOX } }: Services,
  eventId: string,
  webhookId: string,
): Promise<Attempted | undefined> {
  const delivery = await findAttempt(store, eventId, webhookId);
  if (delivery?.state !== 'Pending') return undefined;
  const answer = delivery.active === 1 ? await attempt(outgoing, delivery, sandbox) : undefined;
  const nowMs = clock.nowMs();
  const now = answer ? afterAttempt(delivery.attempts + 1, answer, nowMs) : notSent(delivery.attempts, nowMs);
  return { eventId, webhookId, delivery, answer, now };
}

/** Saves what came of an attempt. Returns false when another instance has made and saved this attempt meanwhile. */
async function save(tx: Transaction, { notices }: Services, attempted: Attempted): Promise<boolean> {
  const { eventId, webhookId, delivery, answer, now } = attempted;
  const attemptsBefore = delivery.attempts;
  const isSaved = await saveDelivery(tx, { eventId, webhookId, attemptsBefore }, now, now.endedMs);
  if (isSaved && answer) {
    tx.afterCommit(() =>
      notices.emit({
        kind: 'webhook.attempted',
        eventId,
        eventType: delivery.event_type,
        url: withoutQuery(delivery.url),
        attempt: now.attempts,
        answer: answer.text,
        acknowledged: answer.acknowledged,
        nextMs: now.againMs ?? null,
      }),
    );
  }
  return isSaved;
}

interface Answer {
  /** Receivers acknowledge with any 2xx (docs/choices.md, Webhooks). */
  acknowledged: boolean;
  text: string;
}

/** Sends the recorded text, signed. No answer is an answer too; only a fault of our own is thrown. */
async function attempt(
  outgoing: Outgoing,
  { url, body, secret }: AttemptRow,
  sandbox: string,
): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': `tapbench/${VERSION}`,
    [SIGNATURE_HEADER]: signatureOf(secret, body),
    // Forks call the endpoints of their source with the same secrets.
    ...(sandbox !== DEFAULT_SANDBOX && { 'tapbench-sandbox': sandbox }),
  };
  try {
    const { status } = await outgoing.post({ url, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS });
    return { acknowledged: status >= 200 && status < 300, text: String(status) };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'transport') throw thrown;
    return { acknowledged: false, text: thrown.message };
  }
}

/** New state of a delivery after an attempt. */
interface DeliveryUpdate {
  state: DeliveryState;
  attempts: number;
  lastStatus: string;
  endedMs: number;
  /** When it is tried again. */
  againMs?: number;
}

function afterAttempt(attempts: number, { acknowledged, text }: Answer, endedMs: number): DeliveryUpdate {
  const update = { attempts, lastStatus: text, endedMs };
  if (acknowledged) return { ...update, state: 'Acknowledged' };
  const pauseMs = RETRY_PAUSES_MS[attempts - 1];
  if (pauseMs === undefined) return { ...update, state: 'Failed' };
  return { ...update, state: 'Pending', againMs: endedMs + pauseMs };
}

/** An endpoint that was deleted or made inactive since the event is sent nothing more. */
function notSent(attempts: number, endedMs: number): DeliveryUpdate {
  return { state: 'Failed', attempts, lastStatus: 'not sent: the endpoint is inactive', endedMs };
}

/** Some receivers know their callers by a token in the query; notices can be read by any listener. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
