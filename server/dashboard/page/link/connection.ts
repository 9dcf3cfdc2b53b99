import { after, type Clock, type Timer } from '../../../../protocol/clock.ts';
import type { LiveMessage, PageMessage } from '../../view.ts';

/** State of the page's connection to the server. `retryMs` is real time. */
export type LinkState = { kind: 'connecting' } | { kind: 'online' } | { kind: 'away'; retryMs: number };

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

// What comes within this time is drawn together: a fleet that pays is many messages, and one picture.
const GATHER_MS = 40;

/** A connection that carries texts both ways. */
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
  /** A token of the server; rejects when there is none to be had now. */
  token(): Promise<string>;
  /** The server did not want the token. */
  onRefused(): void;
  onState(state: LinkState): void;
  onMessages(messages: readonly LiveMessage[]): void;
  /** What is sent as soon as the session is. */
  first(): readonly PageMessage[];
}

/** Close code of a token that is not, or no longer, good. */
export const UNAUTHORIZED = 4401;

export interface Connection {
  send(message: PageMessage): void;
  /** Tries at once, without waiting for the next time. */
  retryNow(): void;
  close(): void;
}

/** A connection that is kept up: after each loss it is tried again, at first soon, then every ten seconds. */
export function connect(parts: ConnectionParts): Connection {
  let socket: Socket | undefined;
  let timer: Timer | undefined;
  let retryMs = FIRST_RETRY_MS;
  let closed = false;
  const gather = gathering(parts);

  const begin = async () => {
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
    parts.onState({ kind: 'away', retryMs: waitMs });
    timer = after(parts.clock, waitMs, () => void begin());
  };

  const open = (token: string): Socket => {
    const send = (message: PageMessage) => opened.send(JSON.stringify(message));
    const opened = parts.open({
      opened: () => [{ type: 'session', token } as const, ...parts.first()].forEach(send),
      text(text) {
        const message = JSON.parse(text) as LiveMessage;
        if (message.type === 'hello') {
          retryMs = FIRST_RETRY_MS;
          parts.onState({ kind: 'online' });
        }
        gather(message);
      },
      closed(code) {
        socket = undefined;
        if (closed) return;
        if (code === UNAUTHORIZED) parts.onRefused();
        retryLater();
      },
    });
    return opened;
  };

  void begin();
  return {
    send: (message) => socket?.send(JSON.stringify(message)),
    retryNow() {
      if (socket || closed) return;
      retryMs = FIRST_RETRY_MS;
      void begin();
    },
    close() {
      closed = true;
      timer?.cancel();
      socket?.close();
    },
  };
}

function gathering({ clock, onMessages }: ConnectionParts): (message: LiveMessage) => void {
  let waiting: LiveMessage[] = [];
  return (message) => {
    waiting.push(message);
    if (waiting.length > 1) return;
    after(clock, GATHER_MS, () => {
      const messages = waiting;
      waiting = [];
      onMessages(messages);
    });
  };
}
