import { after, delay, SystemClock, type Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import { createRunningFunctions, type RunningFunctions } from './running-functions.ts';
import { verifySignature } from '../../server/platform/outbox/signature.ts';
import { CONNECTION_REFUSED, type Fetched, type Outgoing } from '../../server/platform/outgoing.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** A delivery that a receiver got. */
export interface Delivery {
  body: string;
  /** Undefined for a body that is no JSON. */
  event: Json;
  signature: string;
  /** How long it took to arrive, in milliseconds: longer than none where a fault sends it slowly. */
  bodyMs: number;
}

/** A status, none until the attempt ends, or no connection, as where no process listens. */
type Reply = number | 'hang' | 'refuse';

/** What a receiver does: a reply, or a function that returns one. */
export type Behaviour = Reply | ((delivery: Delivery) => Reply | Promise<Reply>);

/** A webhook endpoint. */
export interface Receiver {
  url: string;
  /** Its reply; 200 by default. */
  behaviour: Behaviour;
  deliveries: Delivery[];
  /** Returns the event types in order of arrival. */
  types(): string[];
  /** Returns whether every delivery has a valid signature. */
  signedWith(secret: string): boolean;
}

export interface Receivers {
  open(name: string): Receiver;
  /** Returns all receivers. */
  all(): Receiver[];
  /** Returns the receiver that was opened by this name. */
  named(name: string): Receiver | undefined;
  /** Returns the names of all receivers. */
  names(): string[];
  outgoing: Outgoing;
  /** Replies to GET requests by URL; 404 for others. */
  readonly sites: Map<string, Fetched>;
  /** Number of requests that wait for the clock: those that are held, and those whose function waits for the world. */
  readonly waiting: number;
  /** The functions that have not replied yet. */
  readonly functions: RunningFunctions;
  /** What functions threw in place of a reply. */
  readonly thrown: readonly unknown[];
}

// What servers of HTTP reply when a function throws.
const STATUS_OF_ERROR = 500;

/** Creates webhook endpoints without a network. @param clock real time, by which a request times out */
export function createReceivers(clock: Clock = new SystemClock()): Receivers {
  const receivers = new Map<string, Receiver>();
  const names = new Map<string, Receiver>();
  const sites = new Map<string, Fetched>();
  const waiting = new Set<(closed: Fault) => void>();
  const thrown: unknown[] = [];
  const failed = (error: unknown) => (thrown.push(error), STATUS_OF_ERROR);
  const functions = createRunningFunctions();

  async function untilClosed<T>(work: Promise<T>): Promise<T> {
    let close!: (closed: Fault) => void;
    const closed = new Promise<never>((_, reject) => waiting.add((close = reject)));
    return Promise.race([work, closed]).finally(() => waiting.delete(close));
  }

  /** Returns a reply that may wait for the clock; 'hang' once the time is over in which it must come. */
  async function replyWithin(ms: number, reply: Promise<Reply>): Promise<Reply> {
    let end!: () => void;
    const late = new Promise<'hang'>((resolve) => (end = () => resolve('hang')));
    const timer = after(clock, ms, end);
    const inTime = reply.then((given): Reply | Promise<Reply> => (given === 'hang' ? late : given));
    return untilClosed(Promise.race([inTime, late])).finally(() => timer.cancel());
  }

  async function replyOf(behaviour: Behaviour, delivery: Delivery, leftMs: number): Promise<Reply> {
    if (typeof behaviour === 'number' || behaviour === 'refuse') return behaviour;
    if (behaviour === 'hang') return replyWithin(leftMs, Promise.resolve(behaviour));
    return functions.during(() => {
      // Within a promise, also when it throws at once.
      const reply = Promise.resolve(delivery).then(behaviour);
      return replyWithin(leftMs, reply.catch(failed));
    });
  }

  return {
    get waiting() {
      return waiting.size - functions.busy;
    },
    functions,
    thrown,
    sites,
    all: () => [...receivers.values()],
    named: (name) => names.get(name),
    names: () => [...names.keys()],
    open(name) {
      const receiver = createReceiver(`https://${name}.example/webhooks`);
      receivers.set(receiver.url, receiver);
      names.set(name, receiver);
      return receiver;
    },
    outgoing: {
      async post({ url, headers, body, bodyMs = 0, timeoutMs }) {
        const receiver = receivers.get(url);
        if (!receiver) throw new Fault('transport', 'no receiver has this URL');
        if (bodyMs > 0) await untilClosed(delay(clock, bodyMs));
        const delivery = { body, event: parsed(body), signature: signatureIn(headers), bodyMs };
        receiver.deliveries.push(delivery);
        const reply = await replyOf(receiver.behaviour, delivery, timeoutMs - bodyMs);
        if (reply === 'refuse') throw new Fault('transport', CONNECTION_REFUSED);
        if (reply !== 'hang') return { status: reply, headers: {}, body: '', isCut: false };
        throw new Fault('transport', `no answer within ${timeoutMs / 1000} s`);
      },
      get: async ({ url }) => sites.get(url) ?? { status: 404, contentType: 'text/plain', body: '' },
      allowed: async () => true,
      async close() {
        for (const close of waiting) close(new Fault('internal', 'closed while an answer was awaited'));
      },
    },
  };
}

/** Returns the event of a body; undefined for a body that is cut. */
function parsed(body: string): Json {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function signatureIn(headers: Record<string, string>): string {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === 'signature');
  return name ? headers[name]! : '';
}

function createReceiver(url: string): Receiver {
  const deliveries: Delivery[] = [];
  return {
    url,
    behaviour: 200,
    deliveries,
    types: () => deliveries.map(({ event }) => event.eventType),
    signedWith: (secret) =>
      deliveries.every(({ body, signature }) => verifySignature(secret, body, signature)),
  };
}
