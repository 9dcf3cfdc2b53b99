import { Fault } from '../../protocol/failures.ts';
import { verifySignature } from '../../server/platform/outbox/signature.ts';
import type { Fetched, Outgoing } from '../../server/platform/outgoing.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** A delivery that a receiver got. */
export interface Delivery {
  body: string;
  event: Json;
  signature: string;
}

/** Reply of a receiver: a status, a function that returns one, or `hang` for none. */
export type Behaviour = number | 'hang' | ((delivery: Delivery) => number | Promise<number>);

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
  /** Number of pending deliveries, except those that hang. */
  readonly busy: number;
}

/** Creates webhook endpoints without a network. */
export function createReceivers(): Receivers {
  const receivers = new Map<string, Receiver>();
  const names = new Map<string, Receiver>();
  const sites = new Map<string, Fetched>();
  return {
    busy: 0,
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
      async post({ url, headers, body }) {
        const receiver = receivers.get(url);
        if (!receiver) throw new Fault('transport', 'no receiver has this URL');
        if (receiver.behaviour === 'hang') return new Promise(() => {});
        const delivery = { body, event: JSON.parse(body), signature: signatureIn(headers) };
        receiver.deliveries.push(delivery);
        const { behaviour } = receiver;
        const status = typeof behaviour === 'number' ? behaviour : await behaviour(delivery);
        return { status, headers: {}, body: '', isCut: false };
      },
      get: async ({ url }) => sites.get(url) ?? { status: 404, contentType: 'text/plain', body: '' },
      allowed: async () => true,
      close: async () => {},
    },
  };
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
