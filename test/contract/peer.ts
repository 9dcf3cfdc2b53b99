import { SystemClock } from '../../protocol/clock.ts';
import type { Connector, Link, LinkCredentials } from '../../protocol/link.ts';
import { createLog, type Log } from '../../protocol/log.ts';
import type { Envelope } from '../../protocol/message.ts';

const realTime = new SystemClock();

/** Longest that a test waits for a condition. Only a failing test waits that long. */
const TIMEOUT_MS = 10_000;

/**
 * Resolves once `condition` holds; lets the event loop turn in between.
 * @throws with the description when the time is over
 */
export async function waitUntil(description: string, condition: () => boolean): Promise<void> {
  const endMs = realTime.nowMs() + TIMEOUT_MS;
  while (!condition()) {
    if (realTime.nowMs() > endMs) throw new Error(`timed out waiting for ${description}`);
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

/** A client of a broker. */
export interface Peer {
  link: Link;
  /** Messages that `next` has not returned yet, as `topic payload`. */
  received: string[];
  /** Each `online` and `offline`, in order. */
  history: string[];
  /** Waits for the next message and removes it from `received`. */
  next(): Promise<string>;
}

export interface PeerOptions {
  credentials: LinkCredentials;
  subscriptions?: string[];
  will?: Envelope;
  /** Closes the link when its connection ends, so that it does not reconnect. */
  closesWhenCut?: boolean;
}

/** A client that is connecting. */
export function peer(connect: Connector, { closesWhenCut = false, ...plan }: PeerOptions): Peer {
  const received: string[] = [];
  const history: string[] = [];
  const link = connect({
    subscriptions: [],
    ...plan,
    handlers: {
      online: () => history.push('online'),
      offline: () => {
        history.push('offline');
        if (closesWhenCut) void link.close();
      },
      message: (topic, payload) => received.push(`${topic} ${Buffer.from(payload).toString()}`),
    },
  });
  link.open();
  return {
    link,
    received,
    history,
    async next() {
      await waitUntil('a message', () => received.length > 0);
      return received.shift()!;
    },
  };
}

/** A client that is connected and subscribed. */
export async function connectedPeer(connect: Connector, plan: PeerOptions): Promise<Peer> {
  const made = peer(connect, plan);
  await waitUntil(`${plan.credentials.username} to be online`, () => made.link.online);
  return made;
}

/** A message at QoS 1. */
export function envelope(topic: string, text: string, retain = false): Envelope {
  return { topic, payload: Buffer.from(text), qos: 1, retain };
}
