import { Fault } from '../../../protocol/failures.ts';
import type { FaultAt } from '../faults/cut-points.ts';
import type { Outgoing } from '../outgoing.ts';
import type { Services } from '../services.ts';
import type { Queries } from '../store/store.ts';
import type { Attempt } from './attempt.ts';
import {
  findJobKey,
  HELD,
  listHeld,
  scheduledAttempts,
  type AttemptRow,
  type DeliveryKey,
  type DeliveryUpdate,
} from './delivery.records.ts';

/** What the log of attempts says of one that a fault has dropped, so that it never reached its endpoint. */
export const DROPPED_BY_FAULT = 'dropped by a fault of the sandbox';

/** What a fault does to an attempt to deliver an event. */
export interface AttemptStrike {
  what: FaultAt<'webhook.attempt'>;
  delayMs: number;
}

/** Returns the fault that strikes an attempt; undefined for none. */
export function strikeAttempt(
  { faults }: Pick<Services, 'faults'>,
  { eventId, webhookId }: DeliveryKey,
  delivery: AttemptRow,
): AttemptStrike | undefined {
  if (!faults?.awaits('webhook.attempt')) return undefined;
  const { event_type: eventType } = delivery;
  const ids = [webhookId, eventId, ...objectOf(delivery)];
  const attempt = scheduledAttempts(delivery) + 1;
  return faults.strike({ at: 'webhook.attempt', eventType, ids, attempt }) as AttemptStrike | undefined;
}

/** Returns the id of the object that an event is about, if it is about one. */
export function objectOf({ body }: Pick<AttemptRow, 'body'>): string[] {
  const { data } = JSON.parse(body) as { data?: { id?: unknown } };
  return typeof data?.id === 'string' ? [data.id] : [];
}

/** Returns what an attempt sends. */
export function alteredBy(strike: AttemptStrike | undefined, sent: AttemptRow) {
  switch (strike?.what) {
    case 'wrong-secret':
      return { ...sent, secret: `${sent.secret} of another endpoint` };
    case 'slow-body':
      return { ...sent, bodyMs: strike.delayMs };
    case 'cut-body':
      return { ...sent, sentBody: sent.body.slice(0, Math.floor(sent.body.length / 2)) };
    case 'unsigned':
      return { ...sent, isUnsigned: true };
    case 'altered-body':
      return { ...sent, sentBody: withMember(sent.body, { altered: true }) };
    case 'spaced-body':
      return { ...sent, body: `${JSON.stringify(JSON.parse(sent.body), null, 2)}\n` };
    case 'large-body':
      return { ...sent, body: withMember(sent.body, { padding: 'x'.repeat(PADDING_LENGTH) }) };
    case 'unknown-type':
      return { ...sent, body: withMember(sent.body, { eventType: 'Example.happened' }) };
    default:
      return sent;
  }
}

// More than a parser with a limit of 100 kB takes.
const PADDING_LENGTH = 200_000;

function withMember(body: string, member: object): string {
  const event: unknown = JSON.parse(body);
  return JSON.stringify(Object.assign({}, event, member));
}

/** Returns what came of an attempt: an endpoint cannot acknowledge an event by a reply to another one. */
export function outcomeUnder(strike: AttemptStrike | undefined, attempt: Attempt): Attempt {
  return strike?.what === 'unknown-type' ? { ...attempt, acknowledged: false } : attempt;
}

/** Returns the client that an attempt sends with. */
export function outgoingUnder(strike: AttemptStrike | undefined, outgoing: Outgoing): Outgoing {
  if (strike?.what !== 'dropped') return outgoing;
  return {
    ...outgoing,
    post: () => Promise.reject(new Fault('transport', DROPPED_BY_FAULT)),
  };
}

/** The faults that put an attempt off: it is not sent yet, and not counted. */
const PUTTING_OFF = ['delay', 'out-of-order', 'beside'] as const;

/** Returns whether a fault puts an attempt off. */
export function putsOff({ what }: AttemptStrike): boolean {
  const some: readonly string[] = PUTTING_OFF;
  return some.includes(what);
}

/** The result of a delivery until its attempt that was put off is made. */
const PUT_OFF = 'put off by a fault';

/** Whether an attempt was put off until now. No other fault strikes it. */
export function wasPutOff({ last_status: lastStatus }: AttemptRow): boolean {
  return lastStatus === PUT_OFF || lastStatus === HELD;
}

/** Returns what becomes of a delivery whose attempt is put off: no attempt is counted. */
export function postponed(strike: AttemptStrike, nowMs: number): DeliveryUpdate {
  return {
    state: 'Pending',
    attempts: 0,
    sentAgain: 0,
    lastStatus: strike.what === 'out-of-order' ? HELD : PUT_OFF,
    line: '',
    endedMs: nowMs,
    againMs: nowMs + strike.delayMs,
  };
}

/** Deliveries that wait for the next one to the same endpoint, so that they arrive out of order. */
export interface HeldDeliveries {
  /** Holds one back until the next one, or until its instant. */
  hold(delivery: HeldDelivery): void;
  /**
   * To be called when an attempt of a delivery begins. Resolves with a function for when it is acknowledged, which returns
   * those that were held back when it began, and holds them no longer.
   */
  begin(delivery: DeliveryKey): Promise<(nowMs: number) => HeldDelivery[]>;
}

export interface HeldDelivery extends DeliveryKey {
  /** Key of its jobs. */
  lane: string;
  /** When it is sent if no other is. */
  untilMs: number;
}

/** Reads those that are stored. The lane of each is that of its job, so that it is not sent twice at once. */
export async function storedHeld(queries: Queries, kind: string): Promise<HeldDelivery[]> {
  const held: HeldDelivery[] = [];
  for (const { event_id: eventId, webhook_id: webhookId, next_ms: untilMs } of await listHeld(queries)) {
    const lane = await findJobKey(queries, { kind, dueMs: untilMs, eventId });
    if (lane !== undefined) held.push({ eventId, webhookId, lane, untilMs });
  }
  return held;
}

/** @param stored reads those that were held back before this process, or the sandbox that this one is a copy of, ended */
export function createHeldDeliveries(stored: () => Promise<HeldDelivery[]>): HeldDeliveries {
  const held = new Map<string, HeldDelivery>();
  const read = readOnce(stored, held);
  return {
    hold: (delivery) => void held.set(keyOf(delivery), delivery),
    async begin({ eventId, webhookId }) {
      await read();
      // Its own time has come.
      held.delete(keyOf({ eventId, webhookId }));
      const waiting = [...held.values()].filter((other) => other.webhookId === webhookId);
      return (nowMs) => waiting.filter((other) => held.delete(keyOf(other)) && other.untilMs > nowMs);
    },
  };
}

const keyOf = ({ eventId, webhookId }: DeliveryKey) => `${eventId}/${webhookId}`;

/** Returns a function that adds what is stored; one that fails is tried again at the next delivery. */
function readOnce(
  stored: () => Promise<HeldDelivery[]>,
  held: Map<string, HeldDelivery>,
): () => Promise<void> {
  let reading: Promise<void> | undefined;
  const add = async () => {
    for (const delivery of await stored()) held.set(keyOf(delivery), delivery);
  };
  return () => {
    reading ??= add().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}
