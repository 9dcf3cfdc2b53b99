import { after, type Clock, type Timer } from '../protocol/clock.ts';
import { Fault } from '../protocol/failures.ts';
import { fraction, seededRandom, type Random } from '../protocol/ids.ts';
import type { Connector, Link, LinkOptions } from '../protocol/link.ts';
import type { Envelope } from '../protocol/message.ts';

/** Parameters of a faulty network. A rate is a probability per message, 0 to 1. */
export interface NetworkFaults {
  /** Range of the time that a link stays up, and then stays down. */
  upMs: Range;
  downMs: Range;
  /** Messages of QoS 0 that are lost. */
  lossRate: number;
  /** Messages of QoS 1 that are delivered twice, as MQTT allows (MQTT-4.3.2). */
  repeatRate: number;
  /** Delay of a message. The order is preserved, as within one connection. */
  delayMs: Range;
}

export interface Range {
  min: number;
  max: number;
}

export const BAD_NETWORK: NetworkFaults = {
  upMs: { min: 2_000, max: 30_000 },
  downMs: { min: 100, max: 5_000 },
  lossRate: 0.1,
  repeatRate: 0.1,
  delayMs: { min: 0, max: 250 },
};

interface FaultParts {
  clock: Clock;
  /** The same seed and client ids give the same faults at the same instants, independent of traffic. */
  seed: string;
  faults?: NetworkFaults | undefined;
}

/** Wraps a connector so that its links disconnect, reconnect, lose, repeat and delay messages. */
export function withNetworkFaults(
  connect: Connector,
  { clock, seed, faults = BAD_NETWORK }: FaultParts,
): Connector {
  return (plan) => {
    // Two streams, so that traffic does not affect the instants of disconnects.
    const randomFor = (what: string) => seededRandom(`${seed} ${plan.credentials.clientId} ${what}`);
    return faultyLink({
      connect,
      plan,
      clock,
      faults,
      drops: randomFor('drops'),
      messages: randomFor('traffic'),
    });
  };
}

interface FaultyLinkParts {
  connect: Connector;
  plan: LinkOptions;
  clock: Clock;
  faults: NetworkFaults;
  drops: Random;
  messages: Random;
}

function faultyLink({ connect, plan, clock, faults, drops, messages }: FaultyLinkParts): Link {
  const { handlers } = plan;
  const outgoing = createDelayQueue(clock);
  const incoming = createDelayQueue(clock);
  const outages = createOutages({ clock, drops, faults, drop: () => link.drop(), open: () => link.open() });

  const deliver = async (topic: string, payload: Uint8Array) => {
    const twice = chance(messages, faults.repeatRate);
    if (!(await incoming.pass(within(messages, faults.delayMs)))) return;
    handlers.message(topic, payload);
    if (twice && link.online) handlers.message(topic, payload);
  };
  const publish = async (envelope: Envelope) => {
    if (!link.online) throw new Fault('transport', 'the link is down');
    const lost = envelope.qos === 0 && chance(messages, faults.lossRate);
    const twice = envelope.qos === 1 && chance(messages, faults.repeatRate);
    if (!(await outgoing.pass(within(messages, faults.delayMs)))) {
      throw new Fault('transport', 'the link dropped while the message was under way');
    }
    if (lost) return;
    const first = link.publish(envelope);
    if (twice) link.publish(envelope).catch(() => {});
    await first;
  };

  const link = connect({
    ...plan,
    handlers: {
      online: () => {
        outages.online();
        handlers.online();
      },
      offline: () => {
        outages.offline();
        outgoing.clear();
        incoming.clear();
        handlers.offline();
      },
      message: (topic, payload) => void deliver(topic, payload),
      refused: (reason) => handlers.refused?.(reason),
    },
  });

  return {
    publish,
    get online() {
      return link.online;
    },
    open() {
      if (!outages.active) link.open();
    },
    close() {
      outages.stop();
      return link.close();
    },
    drop() {
      outages.stop();
      link.drop();
    },
  };
}

interface OutageParts extends Pick<FaultyLinkParts, 'clock' | 'drops' | 'faults'> {
  drop(): void;
  open(): void;
}

/** Schedules the outages of a link. */
function createOutages({ clock, drops, faults, drop, open }: OutageParts) {
  let change: Timer | undefined;
  let active = false;
  const begin = () => {
    active = true;
    drop();
    // The handler may have closed the link.
    if (active) change = after(clock, within(drops, faults.downMs), end);
  };
  const end = () => {
    active = false;
    open();
  };
  return {
    /** Whether an outage is in progress. */
    get active() {
      return active;
    },
    online: () => void (change = after(clock, within(drops, faults.upMs), begin)),
    offline: () => change?.cancel(),
    stop() {
      change?.cancel();
      active = false;
    },
  };
}

/** One direction of a connection: delays messages and preserves their order. */
interface DelayQueue {
  /** Resolves with true when the message is delivered, false when the connection ended first. */
  pass(delayMs: number): Promise<boolean>;
  clear(): void;
}

function createDelayQueue(clock: Clock): DelayQueue {
  let queue: { atMs: number; settle: (arrived: boolean) => void }[] = [];
  let timer: Timer | undefined;
  // One timer for the first message: two timers due at one instant could fire in the wrong order.
  const arm = () => {
    timer = queue[0] && clock.at(queue[0].atMs, moveOn);
  };
  const moveOn = () => {
    queue.shift()?.settle(true);
    arm();
  };
  return {
    pass(delayMs) {
      const atMs = Math.max(queue.at(-1)?.atMs ?? 0, clock.nowMs() + delayMs);
      return new Promise((settle) => {
        queue.push({ atMs, settle });
        if (queue.length === 1) arm();
      });
    },
    clear() {
      timer?.cancel();
      const gone = queue;
      queue = [];
      for (const { settle } of gone) settle(false);
    },
  };
}

function chance(random: Random, rate: number): boolean {
  return fraction(random) < rate;
}

/** Returns a random integer from `min` up to but excluding `max`. */
export function within(random: Random, { min, max }: Range): number {
  return Math.floor(min + fraction(random) * (max - min));
}
