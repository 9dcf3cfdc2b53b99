import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Connector, Link, LinkCredentials, LinkOptions } from '../../../protocol/link.ts';
import type { Log } from '../../../protocol/log.ts';
import { ALL_MESSAGES } from '../../../protocol/messages.ts';
import { Presence, RequestPresence } from '../../../protocol/messages/presence.messages.ts';
import { filtersOf } from '../../../protocol/permissions.ts';
import {
  CLOCK_TOPIC,
  DEFAULT_SANDBOX,
  parseTopic,
  sandboxOfTopic,
  topicIn,
  topicWithin,
} from '../../../protocol/topics.ts';

/**
 * How a server reconnects to an external broker, for `MqttOptions`: sooner than its terminals, of which there are many. What
 * they report while it is away is lost to it, but for their presence, which the broker retains. A cluster of NATS may have
 * it at the server's node only later.
 */
export const SERVER_RECONNECT = {
  maxReconnectMs: 1_000,
  connectTimeoutMs: 3_000,
  subscribeAgainAfterMs: [5_000, 30_000],
} as const;

interface SharedConnectionOptions {
  /** Connects to the broker. */
  connect: Connector;
  credentials: LinkCredentials;
  log: Log;
}

/** The link of one sandbox. */
interface SandboxLink {
  plan: LinkOptions;
  online: boolean;
}

interface SharedConnection {
  /**
   * Returns the connector of a sandbox. Its links send and receive with the topics of the sandbox, whatever their
   * subscriptions and credentials are; a sandbox has one at a time.
   */
  connectorOf(sandbox: string): Connector;
  /**
   * Clears what the broker retains for a sandbox that is deleted, its clock and the reports of its terminals, unless the
   * broker is away.
   */
  removeSandbox(sandbox: string): void;
}

/**
 * Shares one connection to an external broker among the sandboxes of a server: the server has one user name there, and a
 * broker may allow one connection for each.
 */
export function shareConnection({ connect, credentials, log }: SharedConnectionOptions): SharedConnection {
  const links = new Map<string, SandboxLink>();
  const retained = createRetained();
  const presence = createLastPresence();
  const connection = connect({
    credentials,
    subscriptions: filtersOf({ kind: 'server' }).subscribe,
    handlers: {
      online() {
        retained.clear();
        presence.clear();
        for (const link of links.values()) setOnline(link);
      },
      offline() {
        for (const link of links.values()) setOffline(link);
      },
      message(topic, payload) {
        const sandbox = sandboxOfTopic(topic);
        retained.keep(sandbox, topic, payload);
        // An empty one only clears what was retained.
        if (payload.length === 0) return;
        const link = links.get(sandbox);
        if (link?.online && !presence.isRepeated(topic, payload)) link.plan.handlers.message(topic, payload);
      },
    },
  });

  const connectorOf =
    (sandbox: string): Connector =>
    (plan): Link => {
      const link = { plan, online: false };
      const isOpen = () => links.get(sandbox) === link;
      function release(): boolean {
        if (!isOpen()) return false;
        links.delete(sandbox);
        setOffline(link);
        return links.size === 0;
      }
      return {
        open() {
          if (isOpen()) return;
          links.set(sandbox, link);
          connection.open();
          queueMicrotask(() => {
            if (!isOpen() || !connection.online || link.online) return;
            setOnline(link);
            // The broker sent them when the connection subscribed, before this sandbox was open.
            for (const [topic, payload] of retained.of(sandbox)) plan.handlers.message(topic, payload);
          });
        },
        async publish(envelope) {
          if (!link.online) throw new Fault('transport', 'not connected to the broker');
          presence.asked(envelope.topic);
          await connection.publish(envelope);
        },
        get online() {
          return link.online;
        },
        close: async () => (release() ? connection.close() : undefined),
        drop: () => (release() ? connection.drop() : undefined),
      };
    };

  return {
    connectorOf,
    removeSandbox(sandbox) {
      const topics = [topicIn(sandbox, CLOCK_TOPIC), ...retained.of(sandbox).map(([topic]) => topic)];
      retained.forget(sandbox);
      if (connection.online) clearRetained(connection, topics, log.child({ sandbox }));
    },
  };
}

function clearRetained(connection: Link, topics: readonly string[], log: Log): void {
  const cleared = topics.map((topic) =>
    connection.publish({ topic, payload: Buffer.alloc(0), qos: 1, retain: true }),
  );
  Promise.all(cleared).catch((thrown: unknown) => {
    log.warn({ reason: messageOf(thrown) }, 'the broker retains messages of a deleted sandbox');
  });
}

function setOnline(link: SandboxLink): void {
  link.online = true;
  link.plan.handlers.online();
}

function setOffline(link: SandboxLink): void {
  if (!link.online) return;
  link.online = false;
  link.plan.handlers.offline();
}

/** Knows which presence of a terminal was received last, since another subscription sends what is retained again. */
function createLastPresence() {
  const last = new Map<string, string>();
  return {
    clear: () => last.clear(),
    /** What a terminal answers to a `presence.request` counts, also when it has said so before. */
    asked(topic: string): void {
      if (topic.endsWith(REQUEST)) last.delete(topic.slice(0, -REQUEST.length) + PRESENCE);
    },
    isRepeated(topic: string, payload: Uint8Array): boolean {
      if (!topic.endsWith(PRESENCE)) return false;
      const text = Buffer.from(payload).toString('latin1');
      const isRepeated = last.get(topic) === text;
      last.set(topic, text);
      return isRepeated;
    },
  };
}

const PRESENCE = `/reports/${Presence.name}`;
const REQUEST = `/commands/${RequestPresence.name.replace('.', '-')}`;

const RETAINED_NAMES = ALL_MESSAGES.filter(({ channel, retain }) => channel === 'reports' && retain).map(
  ({ name }) => name,
);

/** Keeps the last retained messages of the sandboxes that can be opened after the connection: all but `default`. */
function createRetained() {
  const messages = new Map<string, Map<string, Uint8Array>>();
  return {
    clear: () => messages.clear(),
    forget: (sandbox: string) => void messages.delete(sandbox),
    of: (sandbox: string) => [...(messages.get(sandbox) ?? [])],
    keep(sandbox: string, topic: string, payload: Uint8Array) {
      const name = parseTopic(topicWithin(sandbox, topic) ?? '')?.message;
      if (sandbox === DEFAULT_SANDBOX || !RETAINED_NAMES.some((known) => known === name)) return;
      const own = messages.get(sandbox) ?? new Map<string, Uint8Array>();
      messages.set(sandbox, own);
      // A copy: the payload is a part of a larger buffer.
      if (payload.length > 0) own.set(topic, Uint8Array.from(payload));
      else own.delete(topic);
      if (own.size === 0) messages.delete(sandbox);
    },
  };
}
