import { after, type Clock, type Timer } from '../../../../protocol/clock.ts';
import type { LiveMessage, PageMessage } from '../../view.ts';

/** State of the page's connection to the server. `retryMs` is real time. */
export type ConnectionState =
  { kind: 'connecting' } | { kind: 'online' } | { kind: 'disconnected'; retryMs: number };

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

// Messages that arrive within this time are applied, and drawn, together; the first one of a connection at once.
const BATCH_MS = 40;

/** The part of a WebSocket that is used here. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

export interface SocketEvents {
  opened(): void;
  text(text: string): void;
  closed(code: number): void;
}

export interface ConnectionParts {
  clock: Clock;
  open(events: SocketEvents): Socket;
  /** Returns the dashboard token; rejects while there is none. */
  token(): Promise<string>;
  /** Called when the server rejects the token. */
  onTokenRejected(): void;
  onState(state: ConnectionState): void;
  onMessages(messages: readonly LiveMessage[]): void;
  /** Returns the messages that follow the token on a new connection. */
  initialMessages(): readonly PageMessage[];
}

/** Close code for a missing or invalid token. */
export const UNAUTHORIZED = 4401;

export interface Connection {
  send(message: PageMessage): void;
  /** Reconnects now instead of after the current delay. */
  retryNow(): void;
  close(): void;
}

/** Connects to the server, and reconnects after each loss with delays that grow from half a second to ten seconds. */
export function connect(parts: ConnectionParts): Connection {
  let socket: Socket | undefined;
  let timer: Timer | undefined;
  let retryMs = FIRST_RETRY_MS;
  let closed = false;
  const enqueue = batched(parts);

  const start = async () => {
    timer?.cancel();
    parts.onState({ kind: 'connecting' });
    const token = await parts.token().catch(() => undefined);
    if (closed) return;
    if (token === undefined) return retryLater();
    socket = open(token);
  };

  const retryLater = () => {
    const waitMs = retryMs;
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    parts.onState({ kind: 'disconnected', retryMs: waitMs });
    timer = after(parts.clock, waitMs, () => void start());
  };

  const open = (token: string): Socket => {
    const send = (message: PageMessage) => opened.send(JSON.stringify(message));
    const opened = parts.open({
      opened: () => [{ type: 'session', token } as const, ...parts.initialMessages()].forEach(send),
      text(text) {
        const message = JSON.parse(text) as LiveMessage;
        if (message.type === 'hello') {
          retryMs = FIRST_RETRY_MS;
          parts.onState({ kind: 'online' });
        }
        enqueue(message);
      },
      closed(code) {
        socket = undefined;
        if (closed) return;
        if (code === UNAUTHORIZED) parts.onTokenRejected();
        retryLater();
      },
    });
    return opened;
  };

  void start();
  return {
    send: (message) => socket?.send(JSON.stringify(message)),
    retryNow() {
      if (socket || closed) return;
      retryMs = FIRST_RETRY_MS;
      void start();
    },
    close() {
      closed = true;
      timer?.cancel();
      socket?.close();
    },
  };
}

/** Returns a function that collects messages and passes them on together. */
function batched({ clock, onMessages }: ConnectionParts): (message: LiveMessage) => void {
  let waiting: LiveMessage[] = [];
  const flush = () => {
    const messages = waiting;
    waiting = [];
    if (messages.length > 0) onMessages(messages);
  };
  return (message) => {
    waiting.push(message);
    if (message.type === 'hello') flush();
    else if (waiting.length === 1) after(clock, BATCH_MS, flush);
  };
}
