import { Fault } from '../../protocol/failures.ts';
import type { Connector, Link, LinkOptions } from '../../protocol/link.ts';
import type { Envelope } from '../../protocol/message.ts';

interface Session {
  plan: LinkOptions;
  filters: RegExp;
  online: boolean;
}

/**
 * A broker without a network: what one link publishes reaches, a microtask later, whoever subscribed to it.
 * Retained messages and last wills as MQTT has them; anybody may do anything.
 */
export function memoryBroker() {
  const sessions = new Set<Session>();
  const retained = new Map<string, Envelope>();
  const published: Envelope[] = [];

  const route = (envelope: Envelope) => {
    published.push(envelope);
    if (envelope.retain && envelope.payload.length === 0) retained.delete(envelope.topic);
    else if (envelope.retain) retained.set(envelope.topic, envelope);
    for (const session of sessions) {
      if (session.filters.test(envelope.topic)) queueMicrotask(() => hand(session, envelope));
    }
  };
  const hand = ({ online, plan }: Session, { topic, payload }: Envelope) => {
    if (online) plan.handlers.message(topic, payload);
  };

  const connect: Connector = (plan): Link => {
    const session: Session = { plan, filters: matcherOf(plan.subscriptions), online: false };
    let wanted = false;
    const leave = (will: Envelope | undefined) => {
      wanted = false;
      sessions.delete(session);
      if (!session.online) return;
      session.online = false;
      plan.handlers.offline();
      if (will) route(will);
    };
    return {
      get online() {
        return session.online;
      },
      open() {
        wanted = true;
        queueMicrotask(() => {
          if (!wanted || session.online) return;
          sessions.add(session);
          session.online = true;
          plan.handlers.online();
          for (const envelope of retained.values()) {
            if (session.filters.test(envelope.topic)) hand(session, envelope);
          }
        });
      },
      async publish(envelope) {
        if (!session.online) throw new Fault('transport', 'offline');
        route(envelope);
      },
      close: async () => leave(undefined),
      drop: () => leave(plan.will),
    };
  };

  return {
    connect,
    published,
    /** Everything published, as one text: what an eavesdropper could search. */
    overheard: () => published.map(({ topic, payload }) => `${topic} ${payload.toString()}`).join('\n'),
    get online() {
      return [...sessions].map(({ plan }) => plan.credentials.clientId);
    },
  };
}

/** One pattern for all filters; `+` stands for one level (MQTT-4.7.1-3). */
function matcherOf(filters: string[]): RegExp {
  return new RegExp(`^(${filters.map((filter) => filter.replaceAll('+', '[^/]+')).join('|')})$`);
}
