import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { Random } from '../../../protocol/ids.ts';
import type { Connector, LinkOptions } from '../../../protocol/link.ts';
import type { Log } from '../../../protocol/log.ts';
import type { Envelope } from '../../../protocol/message.ts';
import { publishDenial } from '../../../protocol/permissions.ts';
import {
  RECONNECT_DEFAULTS,
  ReconnectingLink,
  type Connection,
  type ConnectionEvents,
} from '../../../protocol/reconnecting-link.ts';

export interface InternalLinks {
  /** Creates the connector of a server. The clock measures the pauses before it reconnects. */
  connector(options: { clock: Clock; random: Random }): Connector;
  /** Cuts the connections. Their links open them again. */
  disconnect(): void;
}

type Deliver = (packet: Message, done: () => void) => void;

/** The part of aedes that is used here. */
interface MessageBus {
  publish(packet: Envelope & { cmd: 'publish'; dup: boolean }, done: (error?: Error) => void): void;
  subscribe(filter: string, deliver: Deliver, done: () => void): void;
  unsubscribe(filter: string, deliver: Deliver, done: () => void): void;
}

interface InternalLinksParts {
  aedes: MessageBus;
  /** Returns the retained messages whose topics match a filter. */
  retained(filter: string): Message[];
  log: Log;
}

interface Message {
  topic: string;
  payload: Uint8Array | string;
}

/**
 * Connects the server to the broker in its own process. It is trusted, so its credentials are not checked, and messages
 * are passed as function calls: as an MQTT client the server would encode, decode and acknowledge each.
 */
export function createInternalLinks({ aedes, retained, log }: InternalLinksParts): InternalLinks {
  const ends = new Set<() => void>();
  const dial = ({ subscriptions }: LinkOptions, events: ConnectionEvents): Connection => {
    let isUp = false;
    const receive = ({ topic, payload }: Message) => {
      if (isUp) events.message(topic, payload as Uint8Array);
    };
    // A turn later, as aedes delivers to its clients: its parser cannot take the next message while it emits this one.
    const deliver: Deliver = (packet, done) => {
      setImmediate(() => {
        receive(packet);
        done();
      });
    };
    const end = () => {
      if (isUp) for (const filter of subscriptions) aedes.unsubscribe(filter, deliver, ignore);
      isUp = false;
      ends.delete(cut);
    };
    const cut = () => {
      end();
      events.down('the broker closed the connection');
    };
    ends.add(cut);
    setImmediate(() => {
      if (!ends.has(cut)) return;
      isUp = true;
      // In one turn with the retained messages, so that none is missed and none comes before `up`.
      for (const filter of subscriptions) aedes.subscribe(filter, deliver, ignore);
      events.up();
      for (const message of subscriptions.flatMap(retained)) receive(message);
    });
    return {
      publish: (envelope) => publish(aedes, envelope),
      disconnect: async () => end(),
      destroy: end,
    };
  };

  return {
    connector: ({ clock, random }) => {
      const options = { clock, random, log, ...RECONNECT_DEFAULTS };
      return (plan) => new ReconnectingLink((events) => dial(plan, events), plan.handlers, options);
    },
    disconnect: () => ends.forEach((cut) => cut()),
  };
}

/** Resolves once the broker has taken the message; it does not wait until each subscriber has read it. */
async function publish(aedes: MessageBus, envelope: Envelope): Promise<void> {
  const denial = publishDenial({ kind: 'server' }, envelope);
  if (denial) throw new Fault('internal', `the server may not publish to ${envelope.topic}`);
  let problem: Error | undefined;
  aedes.publish({ ...envelope, cmd: 'publish', dup: false }, (error) => (problem = error));
  if (problem) throw new Fault('transport', `not taken by the broker: ${problem.message}`);
}

function ignore(): void {}
