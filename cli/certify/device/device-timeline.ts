import { after, type Clock } from '../../../protocol/clock.ts';
import { connect, type Socket, type SocketEvents } from '../../../server/dashboard/page/link/connection.ts';
import type { LiveMessage, TimelineEntry } from '../../../server/dashboard/view.ts';

/** What was seen between the server and the terminal. */
export interface SeenMessage {
  /** Counts up over all that the server has seen. */
  seq: number;
  /** Time of the sandbox. */
  atMs: number;
  /** A report that a fault has lost is `struck` alone, and a command that it has lost is both. */
  kind: 'command' | 'report' | 'refused' | 'struck';
  /** Of the message. */
  name: string;
  actionId: string | null;
  /** Without secrets, as a timeline has it. */
  body: Readonly<Record<string, unknown>>;
}

/** Follows the messages of a terminal, as the timelines of the dashboard have them. */
export interface DeviceTimeline {
  /** In order. */
  messages(): readonly SeenMessage[];
  /**
   * Resolves with what `find` returns, as soon as it returns something; with undefined when the time is over.
   * @param waitMs real time
   */
  until<T>(find: (messages: readonly SeenMessage[]) => T | undefined, waitMs: number): Promise<T | undefined>;
  close(): void;
}

interface TimelineParts {
  clock: Clock;
  interrupted: AbortSignal;
  terminalId: string;
  open(events: SocketEvents): Socket;
  /** Fetches a token of the dashboard. */
  token(): Promise<string>;
}

/** Begins to follow a terminal. Resolves when everything from now on is seen. */
export async function followDevice(parts: TimelineParts): Promise<DeviceTimeline> {
  const { clock, interrupted, terminalId } = parts;
  const seen = new Map<number, SeenMessage>();
  let sorted: SeenMessage[] | undefined;
  const listeners = new Set<() => void>();
  let markReady!: () => void;
  const ready = new Promise<void>((resolve) => (markReady = resolve));
  const target = { kind: 'terminal', id: terminalId } as const;

  const take = (message: LiveMessage): void => {
    if (message.type === 'timeline') markReady();
    for (const entry of entriesOf(message)) {
      const found = seenIn(entry);
      if (found) seen.set(found.seq, found);
    }
  };
  const messages = () => (sorted ??= [...seen.values()].sort((one, other) => one.seq - other.seq));
  const connection = connect({
    clock,
    open: parts.open,
    token: parts.token,
    onTokenRejected: () => {},
    onState: () => {},
    onMessages(received) {
      received.forEach(take);
      sorted = undefined;
      for (const listener of listeners) listener();
    },
    initialMessages: () => [{ type: 'watch', target }],
  });
  const stop = () => connection.close();
  interrupted.addEventListener('abort', stop, { once: true });
  await ready;

  return {
    messages,
    until: (find, waitMs) =>
      new Promise((resolve) => {
        const check = (isOver = false) => {
          const found = find(messages());
          if (found === undefined && !isOver && !interrupted.aborted) return;
          listeners.delete(changed);
          interrupted.removeEventListener('abort', changed);
          timer.cancel();
          resolve(found);
        };
        const changed = () => check();
        const timer = after(clock, waitMs, () => check(true));
        listeners.add(changed);
        interrupted.addEventListener('abort', changed);
        check();
      }),
    close() {
      interrupted.removeEventListener('abort', stop);
      stop();
    },
  };
}

function entriesOf(message: LiveMessage): readonly TimelineEntry[] {
  if (message.type === 'timeline') return message.entries;
  return message.type === 'entry' ? [message.entry] : [];
}

const KINDS = new Map([
  ['mqtt.command', 'command'],
  ['mqtt.report', 'report'],
  ['mqtt.refused', 'refused'],
  ['fault', 'struck'],
] as const);

function seenIn({
  seq,
  atMs,
  kind,
  actionId,
  message,
  detail,
  fault,
}: TimelineEntry): SeenMessage | undefined {
  const seenAs = [...KINDS].find(([each]) => each === kind)?.[1];
  if (!seenAs) return undefined;
  const body = isRecord(detail) ? detail : {};
  const refused = typeof body['message'] === 'string' ? body['message'] : '';
  return { seq, atMs, kind: seenAs, name: message ?? fault?.subject ?? refused, actionId, body };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
