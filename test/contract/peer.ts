import { SystemClock } from '../../protocol/clock.ts';
import type { Connector, Link, LinkCredentials } from '../../protocol/link.ts';
import { createLog, type Log } from '../../protocol/log.ts';
import type { Envelope } from '../../protocol/message.ts';

const realTime = new SystemClock();

/** Longest that a test waits for something that must happen. Only a failing test waits that long. */
const PATIENCE_MS = 10_000;

/**
 * Resolves once `condition` holds; lets the event loop turn in between.
 * @throws when it does not hold in time, saying what was awaited
 */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const endMs = realTime.nowMs() + PATIENCE_MS;
  while (!condition()) {
    if (realTime.nowMs() > endMs) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A line of the log, parsed. */
export type LogLine = Record<string, unknown> & {
  level: number;
  msg: string;
  reason?: string;
  clientId?: string;
};

/** A log that a test can read back. */
export function readableLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as LogLine);
  return { log: createLog({ level: 'debug', destination: { write } }), lines };
}

/** Somebody on the other end of a broker, as a test sees them. */
export interface Peer {
  link: Link;
  /** What came and was not taken with `next` yet: `topic payload`. */
  received: string[];
  /** Each `online` and `offline`, in order. */
  history: string[];
  /** Takes the next message, waiting for it. */
  next(): Promise<string>;
}

export interface PeerPlan {
  credentials: LinkCredentials;
  subscriptions?: string[];
  will?: Envelope;
}

/** A peer that has begun to connect. */
export function peer(connect: Connector, plan: PeerPlan): Peer {
  const received: string[] = [];
  const history: string[] = [];
  const link = connect({
    subscriptions: [],
    ...plan,
    handlers: {
      online: () => history.push('online'),
      offline: () => history.push('offline'),
      message: (topic, payload) => received.push(`${topic} ${Buffer.from(payload).toString()}`),
    },
  });
  link.open();
  return {
    link,
    received,
    history,
    async next() {
      await until('a message', () => received.length > 0);
      return received.shift()!;
    },
  };
}

/** A peer that is connected and subscribed. */
export async function joined(connect: Connector, plan: PeerPlan): Promise<Peer> {
  const made = peer(connect, plan);
  await until(`${plan.credentials.username} to be online`, () => made.link.online);
  return made;
}

/** A message at QoS 1. */
export function envelope(topic: string, text: string, retain = false): Envelope {
  return { topic, payload: Buffer.from(text), qos: 1, retain };
}
