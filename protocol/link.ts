import type { Envelope } from './message.ts';
import { DEFAULT_SANDBOX, topicIn, topicWithin } from './topics.ts';

/**
 * A connection to the broker that reconnects until it is closed. Used by agents, simulators and the server's gateway;
 * protocol/mqtt-link.ts implements it.
 */
export interface Link {
  /** Connects, and reconnects with growing delays until `close` or `drop`. May be called again after either. */
  open(): void;
  /**
   * Resolves when the broker has taken the message (QoS 1: acknowledged it).
   * @throws Fault `transport` when the link is down or goes down first. Nothing is queued: the caller sends again
   * after `online` what is still true.
   */
  publish(envelope: Envelope): Promise<void>;
  /**
   * Links to brokers on the network only: resolves once the broker has what this link sent, and everything has arrived that the
   * broker had for it, in a broker that keeps their order as mosquitto does; at once while the link is offline.
   */
  roundTrip?(): Promise<void>;
  readonly online: boolean;
  /** Disconnects cleanly, so that no last will is published. Resolves when the connection has ended. */
  close(): Promise<void>;
  /** Ends the connection abruptly, as a power cut does: the broker publishes the last will. */
  drop(): void;
}

export interface LinkHandlers {
  /** Called on each connect, after subscribing and before the first `message`. */
  online(): void;
  /** Called each time the link goes offline for any reason, also within `close` and `drop`. */
  offline(): void;
  message(topic: string, payload: Uint8Array): void;
  /**
   * Called each time the broker refuses the credentials: they were revoked, or an external broker does not know them
   * yet. The link keeps trying until `close`.
   */
  refused?(reason: string): void;
}

export interface LinkCredentials {
  clientId: string;
  username: string;
  password: string;
}

export interface LinkOptions {
  credentials: LinkCredentials;
  subscriptions: string[];
  will?: Envelope;
  handlers: LinkHandlers;
}

/** Creates links to one broker. */
export type Connector = (plan: LinkOptions) => Link;

/** MQTT keep-alive of the links, seconds. */
export const KEEPALIVE_SECONDS = 30;

/**
 * How long it takes at most until a broker notices that a connection is lost, as of a pulled cable or of a node of a cluster
 * that died, and publishes the last will: one and a half times the keep-alive (MQTT-3.1.2-24).
 */
export const LOSS_DETECTED_MS = KEEPALIVE_SECONDS * 1_500;

/** Returns a connector whose links use the topics of a sandbox, and are used with those of the tree. */
export function inSandbox(connect: Connector, sandbox: string): Connector {
  if (sandbox === DEFAULT_SANDBOX) return connect;
  return (plan) => {
    const { will, handlers } = plan;
    const link = connect({
      ...plan,
      subscriptions: plan.subscriptions.map((filter) => topicIn(sandbox, filter)),
      ...(will && { will: { ...will, topic: topicIn(sandbox, will.topic) } }),
      handlers: {
        ...handlers,
        message: (topic, payload) => handlers.message(topicWithin(sandbox, topic) ?? topic, payload),
      },
    });
    return {
      open: () => link.open(),
      publish: (envelope) => link.publish({ ...envelope, topic: topicIn(sandbox, envelope.topic) }),
      roundTrip: async () => link.roundTrip?.(),
      get online() {
        return link.online;
      },
      close: () => link.close(),
      drop: () => link.drop(),
    };
  };
}
