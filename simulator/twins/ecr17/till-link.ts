import { after, type Clock } from '../../../protocol/clock.ts';
import type { DevicePort } from '../twin.ts';
import {
  createFrameCollector,
  messageBytes,
  progressBytes,
  reactionBytes,
  type CheckMode,
  type Received,
} from './frames.ts';

interface TillLinkParts {
  port: DevicePort;
  clock: Clock;
  check(): CheckMode;
  onMessage(payload: string): void;
  onDamaged(problem: string): void;
}

/** The line to the till: acknowledges, and repeats what is not acknowledged. */
interface TillLink {
  /**
   * Sends a message, after those before it. Resolves once it is acknowledged, or given up.
   * @param alsoAcknowledges whether the till's own message is acknowledged behind it
   */
  send(payload: string, alsoAcknowledges?: boolean): Promise<void>;
  /** Sends a text for the till's display. */
  show(text: string): void;
  react(reaction: 'ack' | 'nak'): void;
  /** Ends all waits: the line is closed. */
  close(): void;
}

const ATTEMPTS = 4;
const ACK_LIMIT_MS = 5_000;
/** A till may acknowledge the text of a ticket when it sends its next command. */
const TICKET_ACK_LIMIT_MS = 30_000;
const TICKET = 'S';

export function createTillLink({ port, clock, check, onMessage, onDamaged }: TillLinkParts): TillLink {
  const collector = createFrameCollector(check);
  let isOpen = true;
  let settle: (reaction: 'ack' | 'nak' | 'none') => void = () => {};
  let last: Promise<void> = Promise.resolve();
  const write = (bytes: Uint8Array) => port.write(bytes).catch(() => {});

  const take = (received: Received) => {
    if (received.type === 'message') onMessage(received.payload);
    else if (received.type === 'damaged') onDamaged(received.problem);
    else settle(received.type);
  };
  port.onData((bytes) => {
    for (const received of collector.push(bytes)) take(received);
  });

  /** Begins to listen for a reaction; the limit begins with the call of what it returns. */
  const listen = () => {
    const came = new Promise<'ack' | 'nak' | 'none'>((resolve) => (settle = resolve));
    return async (limitMs: number) => {
      const timer = after(clock, limitMs, () => settle('none'));
      const reaction = await came;
      timer.cancel();
      settle = () => {};
      return reaction;
    };
  };
  const deliver = async (payload: string, alsoAcknowledges: boolean) => {
    const isTicket = payload.charAt(9) === TICKET;
    for (let attempt = 1; attempt <= ATTEMPTS && isOpen; attempt += 1) {
      const reaction = listen();
      await write(messageBytes(payload, check()));
      if (alsoAcknowledges && attempt === 1) await write(reactionBytes('ack', check()));
      const outcome = await reaction(isTicket ? TICKET_ACK_LIMIT_MS : ACK_LIMIT_MS);
      if (outcome === 'ack' || (isTicket && outcome === 'none')) return;
    }
  };
  return {
    send(payload, alsoAcknowledges = false) {
      last = last.then(() => deliver(payload, alsoAcknowledges));
      return last;
    },
    show: (text) => void write(progressBytes(text)),
    react: (kind) => void write(reactionBytes(kind, check())),
    close() {
      isOpen = false;
      settle('none');
    },
  };
}
