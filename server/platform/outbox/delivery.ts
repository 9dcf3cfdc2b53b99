import { messageOf } from '../../../protocol/failures.ts';
import type { Job } from '../scheduler/jobs.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';
import { gatherOnPostgres } from '../gather.ts';
import { retryOnUniqueViolation, type Store, type Transaction } from '../store/store.ts';
import { sendAttempt, type Attempt } from './attempt.ts';
import { DELIVERY_JOB, jobOf, payloadOf } from './delivery-jobs.ts';
import {
  alteredBy,
  createHeldDeliveries,
  objectOf,
  storedHeld,
  outcomeUnder,
  outgoingUnder,
  postponed,
  putsOff,
  strikeAttempt,
  wasPutOff,
  type AttemptStrike,
  type HeldDelivery,
  type HeldDeliveries,
} from './struck-attempts.ts';
import {
  bringForward,
  findAttempts,
  saveDelivery,
  saveEnded,
  scheduledAttempts,
  type AttemptRow,
  type DeliveryKey,
  type DeliveryUpdate,
} from './delivery.records.ts';

/** What is under way at once to all endpoints together: a connection, and the text of an event, for each. */
export const DELIVERIES_AT_ONCE = 512;

const MINUTE_MS = 60_000;

/** The pause after each attempt of the schedule, from its end (Spec §6.7). */
export const RETRY_PAUSES_MS = [0, 1, 5, 10, 10, 10].map((minutes) => minutes * MINUTE_MS);

/** Makes this instance do the deliveries of recorded events. */
export function registerDelivery(services: Services): void {
  const { jobs, store } = services;
  const parts: DeliveryParts = {
    held: createHeldDeliveries(() => storedHeld(store, DELIVERY_JOB)),
    read: gatherOnPostgres(store, (keys) => findAttempts(store, keys), TOGETHER_MAX),
    write: gatherOnPostgres(store, (ends) => writeEnds(services, ends), TOGETHER_MAX),
  };
  jobs.handle(DELIVERY_JOB, (job) => deliver(services, parts, job), { atOnce: DELIVERIES_AT_ONCE });
}

interface DeliveryParts {
  held: HeldDeliveries;
  read(key: DeliveryKey): Promise<AttemptRow | undefined>;
  write(end: AttemptEnd): Promise<void>;
}

/** Attempts that are read or written together: for each number a statement is prepared on each connection. */
const TOGETHER_MAX = 8;

/** What came of an attempt that is not made again, and the job that ends with it. */
interface AttemptEnd {
  attempted?: Attempted | undefined;
  job?: Job;
}

// After a power failure the event is sent again, as it is when that comes before the write.
const writeLater = (store: Store, body: (tx: Transaction) => Promise<void>): Promise<void> =>
  retryOnUniqueViolation(store, body, {
    delayedDurability: true,
    guardedBy: ['deliveryAttempts', 'jobClaims'],
  });

async function writeEnds(services: Services, ends: readonly AttemptEnd[]): Promise<void[]> {
  const attempts = ends.flatMap(({ attempted }) => attempted ?? []);
  const jobs = ends.flatMap(({ job }) => job ?? []);
  // Together, since each is a round trip on PostgreSQL.
  const body = async (tx: Transaction) => {
    await Promise.all([saveAll(tx, services, attempts), services.jobs.finishAll(tx, jobs)]);
  };
  await writeLater(services.store, body);
  return ends.map(() => undefined);
}

async function saveAll(tx: Transaction, services: Services, attempts: readonly Attempted[]): Promise<void> {
  if (attempts.length === 1) return void (await save(tx, services, attempts[0]!));
  if (attempts.length === 0) return;
  const ended = attempts.map((attempted) => ({
    ...attempted,
    scheduledBefore: scheduledAttempts(attempted.delivery),
  }));
  for (const attempted of await saveEnded(tx, ended)) await followUp(tx, services, attempted);
}

/**
 * Attempts each event once, the next as soon as the one before is answered. What came of the last attempt and what
 * becomes of the job are one commit, so neither is ever lost. An event that has to be tried again ends the job: it and
 * the events after it get jobs of their own.
 */
async function deliver(services: Services, parts: DeliveryParts, job: Job): Promise<void> {
  const { jobs, store } = services;
  const { write } = parts;
  const { eventIds, webhookId } = payloadOf(job);
  let saved: Promise<unknown> = Promise.resolve();
  for (const [index, eventId] of eventIds.entries()) {
    const attempted = await attemptEvent(services, parts, { eventId, webhookId }, job.key);
    const rest = eventIds.slice(index + 1);
    if (rest.length > 0 && attempted?.now.againMs === undefined) {
      if (attempted) saved = Promise.all([saved, write({ attempted })]);
      // Awaited once the next event is answered.
      saved.catch(() => undefined);
      continue;
    }
    await saved;
    if (rest.length === 0 && attempted?.now.againMs === undefined) return write({ attempted, job });
    const body = async (tx: Transaction) => {
      const isSaved = attempted !== undefined && (await save(tx, services, attempted));
      const againMs = isSaved ? attempted.now.againMs : undefined;
      if (againMs !== undefined && eventIds.length === 1) return jobs.finish(tx, job, { again: againMs });
      const later = (ids: string[], dueMs: number) =>
        jobs.add(tx, jobOf(job.key, { eventIds: ids, webhookId }, dueMs));
      if (againMs !== undefined) await later([eventId], againMs);
      if (rest.length > 0) await later(rest, job.dueMs);
      await jobs.finish(tx, job, 'done');
    };
    return writeLater(store, body);
  }
}

/** An attempt of a delivery; undefined for an endpoint that is sent nothing more. */
interface Attempted extends DeliveryKey {
  delivery: AttemptRow;
  /** What was sent: once, unless a fault says otherwise. */
  attempts: readonly Attempt[];
  now: DeliveryUpdate;
  /** Deliveries that a fault held back until this one was acknowledged. */
  released?: readonly HeldDelivery[];
  /** This delivery, where a fault holds it back until the next event or reply about its object. */
  beside?: HeldDelivery;
}

/** Attempts one delivery. Returns undefined when it is done already, or due later. */
async function attemptEvent(
  services: Services,
  { read, held }: DeliveryParts,
  key: DeliveryKey,
  lane: string,
): Promise<Attempted | undefined> {
  const { clock } = services;
  const delivery = await read(key);
  if (delivery?.state !== 'Pending') return undefined;
  // It was sent before its time, and has another job for its next attempt.
  if (delivery.next_ms !== null && delivery.next_ms > clock.nowMs()) return undefined;
  if (delivery.active !== 1) return { ...key, delivery, attempts: [], now: notSent(clock.nowMs()) };
  const strike = wasPutOff(delivery) ? undefined : strikeAttempt(services, key, delivery);
  if (strike && putsOff(strike)) {
    const now = postponed(strike, clock.nowMs());
    const waiting = { ...key, lane, untilMs: now.againMs! };
    if (strike.what === 'out-of-order') held.hold(waiting);
    return { ...key, delivery, attempts: [], now, ...(strike.what === 'beside' && { beside: waiting }) };
  }
  services.faults?.sendHeldBeside(() => objectOf(delivery));
  const release = await held.begin(key);
  const attempted = await sendEvent(services, key, delivery, strike);
  if (attempted.now.state !== 'Acknowledged') return attempted;
  return { ...attempted, released: release(clock.nowMs()) };
}

async function sendEvent(
  services: Services,
  key: DeliveryKey,
  delivery: AttemptRow,
  strike?: AttemptStrike,
): Promise<Attempted> {
  const struck = { ...services, outgoing: outgoingUnder(strike, services.outgoing) };
  const again = () => sendAttempt(services, delivery, { sentAgain: true });
  const send = async () =>
    outcomeUnder(strike, await sendAttempt(struck, alteredBy(strike, delivery), { sentAgain: false }));
  const attempts =
    strike?.what === 'twice-at-once' ? await services.faults!.sendAtOnce([send, again]) : [await send()];
  if (strike?.what === 'twice' && attempts[0]!.acknowledged) attempts.push(await again());
  const now = afterAttempts(scheduledAttempts(delivery) + 1, attempts, services.clock.nowMs());
  return { ...key, delivery, attempts, now };
}

/** Saves what came of an attempt. Returns false when another instance has made and saved this attempt meanwhile. */
async function save(tx: Transaction, services: Services, attempted: Attempted): Promise<boolean> {
  const { eventId, webhookId, delivery, now } = attempted;
  const scheduledBefore = scheduledAttempts(delivery);
  const isSaved = await saveDelivery(tx, { eventId, webhookId, scheduledBefore }, now);
  if (isSaved) await followUp(tx, services, attempted);
  return isSaved;
}

/** Tells what came of an attempt that is saved, and makes due what was held back until then. */
async function followUp(tx: Transaction, services: Services, attempted: Attempted): Promise<void> {
  const { eventId, webhookId, delivery, attempts, now, released = [], beside } = attempted;
  if (beside) tx.afterCommit(() => holdBeside(services, beside, delivery));
  for (const [index, attempt] of attempts.entries()) {
    tx.afterCommit(() =>
      services.activities.emit({
        kind: 'webhook.attempted',
        eventId,
        webhookId,
        eventType: delivery.event_type,
        url: withoutQuery(delivery.url),
        attempt: delivery.attempts + index + 1,
        answer: attempt.text,
        acknowledged: attempt.acknowledged,
        nextMs: now.againMs ?? null,
      }),
    );
  }
  for (const other of released) await deliverNow(tx, services, other);
}

/**
 * Lets a delivery wait for the next event or reply about its object. It is then sent in a lane of its own, beside the
 * others about the object.
 */
function holdBeside(services: Services, held: HeldDelivery, delivery: AttemptRow): void {
  const { faults, store, log } = services;
  const beside = { ...held, lane: `${held.lane}/beside` };
  const send = () => writeLater(store, (tx) => deliverNow(tx, services, beside));
  const failed = (thrown: unknown) =>
    log.warn({ reason: messageOf(thrown) }, 'an event that a fault holds back is sent at its time');
  for (const objectId of objectOf(delivery)) faults?.holdEvent(objectId, () => send().catch(failed));
}

/** Makes a delivery that was held back due. It keeps its later job, which then finds that there is nothing to do. */
async function deliverNow(tx: Transaction, { clock, jobs }: Context, held: HeldDelivery): Promise<void> {
  const { lane, eventId, webhookId } = held;
  const nowMs = clock.nowMs();
  if (!(await bringForward(tx, held, nowMs))) return;
  await jobs.add(tx, jobOf(lane, { eventIds: [eventId], webhookId }, nowMs));
}

/** @param scheduled how many attempts the schedule has made by now; any after the first was sent besides it */
function afterAttempts(scheduled: number, attempts: readonly Attempt[], endedMs: number): DeliveryUpdate {
  const { acknowledged } = attempts[0]!;
  const line = attempts.map((attempt) => attempt.line).join('');
  const lastStatus = attempts.at(-1)!.text;
  const update = { attempts: attempts.length, sentAgain: attempts.length - 1, lastStatus, line, endedMs };
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
    sentAgain: 0,
    lastStatus: 'not sent: the endpoint is inactive',
    line: '',
    endedMs,
  };
}

/** Some receivers know their callers by a token in the query; activities can be read by any listener. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
