import { after, afterLatency, type Clock, type Pace, type Timer } from '../protocol/clock.ts';
import type { Connector } from '../protocol/link.ts';
import type { ClockBody } from '../protocol/message.ts';

/** An act of a simulated cardholder or device that will take place. */
export interface ScheduledAct extends Timer {
  /** When, epoch milliseconds; at an instant pace the time at which it was scheduled. */
  readonly atMs: number;
}

/** How long an act takes, milliseconds. */
export interface ActDelay {
  /** As a request or an option asks for, at any pace. */
  askedMs?: number | undefined;
  /** As people and devices take, at a real pace; 0 unless given. */
  usualMs?: number;
}

/** When the acts of a simulated cardholder and of the devices at a terminal take place. */
export interface ActSchedule {
  /** Calls `run` once after the delay, never synchronously. */
  after(delay: ActDelay, run: () => void): ScheduledAct;
}

interface ActScheduleParts {
  clock: Clock;
  /** `real` by default. */
  pace?: () => Pace;
  /** What the terminal sends; nothing by default. */
  sending?: Pick<SendingConnector, 'sent'> | undefined;
}

export function createActSchedule({ clock, pace = () => 'real', sending }: ActScheduleParts): ActSchedule {
  return {
    after({ askedMs, usualMs = 0 }, run) {
      const nowMs = clock.nowMs();
      if (askedMs === undefined && pace() === 'instant')
        return { atMs: nowMs, ...onceSent({ clock, sending, longestMs: usualMs }, run) };
      const delayMs = askedMs ?? usualMs;
      return { atMs: nowMs + delayMs, ...afterLatency(clock, delayMs, run) };
    },
  };
}

// The display and the batch of reports are sent a turn of the event loop after each other.
const TURNS_TO_SEND = 3;

/**
 * Calls `run` once everything that the terminal shows and reports has been sent, so that it is seen in the order in which it
 * is at a real pace. A report that is not acknowledged holds an act up for `longestMs` at most.
 */
function onceSent(
  { clock, sending, longestMs }: Pick<ActScheduleParts, 'clock' | 'sending'> & { longestMs: number },
  run: () => void,
): Timer {
  let wanted = true;
  const act = () => {
    if (!wanted) return;
    wanted = false;
    overdue.cancel();
    run();
  };
  const overdue = after(clock, longestMs, act);
  const wait = (turns: number): void => {
    if (!wanted) return;
    const sent = sending?.sent();
    if (sent) void sent.then(() => wait(TURNS_TO_SEND));
    else if (turns > 0) setImmediate(() => wait(turns - 1));
    else act();
  };
  setImmediate(() => wait(TURNS_TO_SEND));
  return {
    cancel() {
      wanted = false;
      overdue.cancel();
    },
  };
}

/** A connector that knows what its links are sending. */
interface SendingConnector {
  connect: Connector;
  /** Resolves when what is being sent has been sent, or has failed; undefined when nothing is. */
  sent(): Promise<unknown> | undefined;
}

export function countSending(connect: Connector): SendingConnector {
  const sending = new Set<Promise<void>>();
  return {
    connect(plan) {
      const link = connect(plan);
      return {
        open: () => link.open(),
        close: () => link.close(),
        drop: () => link.drop(),
        get online() {
          return link.online;
        },
        publish(envelope) {
          const sent = link.publish(envelope);
          sending.add(sent);
          const done = () => void sending.delete(sent);
          sent.then(done, done);
          return sent;
        },
      };
    },
    sent: () => (sending.size === 0 ? undefined : Promise.allSettled(sending)),
  };
}

interface PacedParts {
  clock: Clock;
  connect: Connector;
  onClock?: ((body: ClockBody) => void) | undefined;
}

/** Returns the schedule of acts at a terminal that follows the pace of its sandbox, and what the terminal connects with. */
export function followPace({ clock, connect, onClock }: PacedParts) {
  // The broker keeps the message, so it comes again with each connection.
  let pace: Pace = 'real';
  const sending = countSending(connect);
  return {
    acts: createActSchedule({ clock, pace: () => pace, sending }),
    connect: sending.connect,
    onClock(body: ClockBody): void {
      pace = body.pace ?? 'real';
      onClock?.(body);
    },
  };
}
