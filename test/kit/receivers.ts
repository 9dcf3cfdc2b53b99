import { Fault } from '../../protocol/failures.ts';
import { verifySignature } from '../../server/platform/outbox/signature.ts';
import type { Fetched, Outgoing } from '../../server/platform/outgoing.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** One delivery as a receiver saw it. */
export interface Delivery {
  body: string;
  event: Json;
  signature: string;
}

/** What a receiver does with a delivery: answers with a status, that of a function of it, or never does. */
export type Behaviour = number | 'hang' | ((delivery: Delivery) => number | Promise<number>);

/** Somebody's webhook endpoint. */
export interface Receiver {
  url: string;
  /** What it does from now on; 200 to begin with. */
  behaviour: Behaviour;
  deliveries: Delivery[];
  /** Event types in the order of their arrival. */
  types(): string[];
  /** Whether every delivery carries the signature of its exact bytes. */
  signedWith(secret: string): boolean;
}

export interface Receivers {
  open(name: string): Receiver;
  /** Everybody who was opened. */
  all(): Receiver[];
  outgoing: Outgoing;
  /** What is at a url, for whoever fetches it; 404 unless it is said here. */
  readonly sites: Map<string, Fetched>;
  /** Deliveries that are under way; those that hang are not counted. */
  readonly busy: number;
}

/** The integrators' side of the network, without one. */
export function createReceivers(): Receivers {
  const receivers = new Map<string, Receiver>();
  const sites = new Map<string, Fetched>();
  return {
    busy: 0,
    sites,
    all: () => [...receivers.values()],
    open(name) {
      const receiver = createReceiver(`https://${name}.example/webhooks`);
      receivers.set(receiver.url, receiver);
      return receiver;
    },
    outgoing: {
      async post({ url, headers, body }) {
        const receiver = receivers.get(url);
        if (!receiver) throw new Fault('transport', 'no answer: nobody is there');
        if (receiver.behaviour === 'hang') return new Promise(() => {});
        const delivery = { body, event: JSON.parse(body), signature: signatureIn(headers) };
        receiver.deliveries.push(delivery);
        const { behaviour } = receiver;
        return { status: typeof behaviour === 'number' ? behaviour : await behaviour(delivery) };
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
