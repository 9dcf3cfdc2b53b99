import { after, type Clock, type Timer } from '../protocol/clock.ts';
import { Fault } from '../protocol/failures.ts';
import { fraction, seededRandom, type Random } from '../protocol/ids.ts';
import type { Connector, Link, LinkOptions } from '../protocol/link.ts';
import type { Envelope } from '../protocol/message.ts';

/** How bad a network is. A rate is a probability for each message, 0 to 1. */
export interface NetworkFaults {
  /** Longest and shortest time that a link stays up, and that it then stays down. */
  upMs: Range;
  downMs: Range;
  /** Messages of QoS 0 that never arrive. */
  lossRate: number;
  /** Messages of QoS 1 that arrive twice, as MQTT allows (MQTT-4.3.2). */
  repeatRate: number;
  /** How long a message is under way. Their order holds, as it does within one connection. */
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
  /** The same seed and client ids give the same faults at the same instants, whatever the links do. */
  seed: string;
  faults?: NetworkFaults | undefined;
}

/** A connector whose links suffer: they drop, come back, lose, repeat and delay, by seed. */
export function withNetworkFaults(
  connect: Connector,
  { clock, seed, faults = BAD_NETWORK }: FaultParts,
): Connector {
  return (plan) => {
    // Two streams, so that how much is sent does not move the instants at which a link drops.
    const randomFor = (what: string) => seededRandom(`${seed} ${plan.credentials.clientId} ${what}`);
    return faultyLink({
      connect,
      plan,
      clock,
      faults,
      drops: randomFor('drops'),
      traffic: randomFor('traffic'),
    });
  };
}

interface FaultyLinkParts {
  connect: Connector;
  plan: LinkOptions;
  clock: Clock;
  faults: NetworkFaults;
  drops: Random;
  traffic: Random;
}

function faultyLink({ connect, plan, clock, faults, drops, traffic }: FaultyLinkParts): Link {
  const { handlers } = plan;
  const outgoing = createDelayQueue(clock);
  const incoming = createDelayQueue(clock);
  const outages = createOutages({ clock, drops, faults, drop: () => link.drop(), open: () => link.open() });

  const deliver = async (topic: string, payload: Uint8Array) => {
    const twice = chance(traffic, faults.repeatRate);
    if (!(await incoming.pass(within(traffic, faults.delayMs)))) return;
    handlers.message(topic, payload);
    if (twice && link.online) handlers.message(topic, payload);
  };
  const publish = async (envelope: Envelope) => {
    if (!link.online) throw new Fault('transport', 'the link is down');
    const lost = envelope.qos === 0 && chance(traffic, faults.lossRate);
    const twice = envelope.qos === 1 && chance(traffic, faults.repeatRate);
    if (!(await outgoing.pass(within(traffic, faults.delayMs)))) {
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

/** Takes a link down when its time is up, and opens it again. Told of its ups and downs by the link itself. */
function createOutages({ clock, drops, faults, drop, open }: OutageParts) {
  let change: Timer | undefined;
  let active = false;
  const begin = () => {
    active = true;
    drop();
    // Whoever heard of it may have given the link up.
    if (active) change = after(clock, within(drops, faults.downMs), end);
  };
  const end = () => {
    active = false;
    open();
  };
  return {
    /** An outage is on: the link stays down until it ends. */
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

/** One direction of a connection: messages take their time and keep their order. */
interface DelayQueue {
  /** Resolves true when the message is through, false when the connection went first. */
  pass(delayMs: number): Promise<boolean>;
  clear(): void;
}

function createDelayQueue(clock: Clock): DelayQueue {
  let queue: { atMs: number; settle: (arrived: boolean) => void }[] = [];
  let timer: Timer | undefined;
  // One timer, for the message in front: two due at one instant could otherwise swap.
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

/** A whole number from `min` on, below `max`. */
export function within(random: Random, { min, max }: Range): number {
  return Math.floor(min + fraction(random) * (max - min));
}
