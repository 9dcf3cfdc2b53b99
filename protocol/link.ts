import type { Envelope } from './message.ts';

/**
 * A connection to the broker, kept up for as long as it is wanted. The port that agents, simulators and the
 * server's gateway speak; protocol/mqtt-link.ts is the real one.
 */
export interface Link {
  /** Starts connecting, and keeps reconnecting with growing pauses until `close` or `drop`; may be called again after either. */
  open(): void;
  /**
   * Resolves when the broker has taken the message (QoS 1: acknowledged it).
   * @throws Fault `transport` when the link is down or goes down first: the caller keeps the fact and says it
   * again after `online`; nothing is queued here, so nothing stale is sent by itself.
   */
  publish(envelope: Envelope): Promise<void>;
  readonly online: boolean;
  /** Says goodbye without the last will, and resolves when the connection is gone. */
  close(): Promise<void>;
  /** Tears the connection down as a power cut does: no goodbye, so the broker publishes the last will. */
  drop(): void;
}

export interface LinkHandlers {
  /** Called on every (re)connect, once subscribed, and before any `message` of that connection. */
  online(): void;
  /** Called each time the link stops being online, whatever the cause: within `close` and `drop` too. */
  offline(): void;
  message(topic: string, payload: Uint8Array): void;
  /**
   * Called each time the broker refuses the credentials, and when it has ended several connections in a row soon after
   * it accepted them. The link goes on trying until `close`.
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

/** Makes links to one broker; how to reach it is the maker's business. */
export type Connector = (plan: LinkOptions) => Link;
