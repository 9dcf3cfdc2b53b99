import type { IncomingMessage, Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { after, type Clock, type Timer } from '../../../../protocol/clock.ts';
import { refuseUpgrade, serveUpgrade } from './upgrades.ts';

/** A connection that carries texts both ways. */
export interface TextSocket {
  /** Does nothing when the socket is closed. */
  send(text: string): void;
  /** Bytes that were queued and not sent yet: grows when the other end does not read. */
  readonly bufferedBytes: number;
  /** @param code of RFC 6455 §7.4, 4000 and on are our own */
  close(code: number, reason: string): void;
  /**
   * Counts the connection as authenticated. Until then it may be dropped for a newer one.
   * @returns false when too many are authenticated
   */
  admit(): boolean;
  onText(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

interface TextSocketOptions {
  path: string;
  clock: Clock;
  /** Whether to accept a connection with these headers; otherwise it is refused with 403. */
  admits(headers: IncomingMessage['headers']): boolean;
  accepted(socket: TextSocket): void;
}

// Messages of clients are short; bounds the memory that one can take.
const FRAME_BYTES_MAX = 16 * 1024;
const ADMITTED_MAX = 64;
// Connections that have not authenticated; the oldest is dropped first.
const WAITING_MAX = 32;
// A laptop that is closed sends no close frame.
const PING_EVERY_MS = 30_000;
// A client that is connected answers a close frame within this time.
const CLOSE_TIMEOUT_MS = 500;

/** Serves a WebSocket (RFC 6455) for text at a path of an HTTP server. @returns a function that stops it and closes its connections */
export function serveTextSockets(http: Server, options: TextSocketOptions): () => Promise<void> {
  const { path, clock, admits, accepted } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
  });
  const pinger = createPinger(sockets, clock);
  const admission = createAdmission();
  const stop = serveUpgrade(http, path, (request, socket, head) => {
    if (!admits(request.headers)) return refuseUpgrade(socket, '403 Forbidden');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      pinger.watch(webSocket);
      admission.wait(webSocket);
      accepted(textSocketOf(webSocket, () => admission.admit(webSocket)));
    });
  });
  return async () => {
    stop();
    pinger.stop();
    const ended = [...sockets.clients].map((webSocket) => {
      webSocket.close(1001, 'the server stops');
      return new Promise<void>((resolve) => webSocket.once('close', () => resolve()));
    });
    const cut = after(clock, CLOSE_TIMEOUT_MS, () =>
      sockets.clients.forEach((webSocket) => webSocket.terminate()),
    );
    await Promise.all(ended);
    cut.cancel();
  };
}

/** Limits the connections that have authenticated, and those that have not. */
function createAdmission() {
  const waiting = new Set<WebSocket>();
  const admitted = new Set<WebSocket>();
  return {
    wait(webSocket: WebSocket): void {
      waiting.add(webSocket);
      webSocket.on('close', () => {
        waiting.delete(webSocket);
        admitted.delete(webSocket);
      });
      if (waiting.size <= WAITING_MAX) return;
      const [oldest] = waiting;
      waiting.delete(oldest!);
      // Not by a close frame, which a silent client could leave without an answer.
      oldest!.terminate();
    },
    admit(webSocket: WebSocket): boolean {
      if (!admitted.has(webSocket) && admitted.size >= ADMITTED_MAX) return false;
      if (waiting.delete(webSocket)) admitted.add(webSocket);
      return admitted.has(webSocket);
    },
  };
}

/** Pings each connection, and terminates one that has not answered the ping before. */
function createPinger({ clients }: WebSocketServer, clock: Clock) {
  const silent = new Set<WebSocket>();
  let timer: Timer | undefined;
  const ping = () => {
    for (const webSocket of clients) {
      if (silent.has(webSocket)) webSocket.terminate();
      else webSocket.ping();
      silent.add(webSocket);
    }
    timer = clients.size > 0 ? after(clock, PING_EVERY_MS, ping) : undefined;
  };
  return {
    watch(webSocket: WebSocket) {
      webSocket.on('pong', () => silent.delete(webSocket));
      webSocket.on('close', () => silent.delete(webSocket));
      timer ??= after(clock, PING_EVERY_MS, ping);
    },
    stop: () => timer?.cancel(),
  };
}

function textSocketOf(webSocket: WebSocket, admit: () => boolean): TextSocket {
  // `close` follows an error, such as a broken connection or a frame that is too long.
  webSocket.on('error', () => undefined);
  webSocket.on('message', (_data, isBinary) => {
    if (isBinary) webSocket.close(1003, 'texts alone');
  });
  return {
    send: (text) => webSocket.send(text, () => undefined),
    get bufferedBytes() {
      return webSocket.bufferedAmount;
    },
    close: (code, reason) => webSocket.close(code, reason),
    admit,
    onText(listener) {
      webSocket.on('message', (data, isBinary) => {
        if (!isBinary) listener((data as Buffer).toString('utf8'));
      });
    },
    onClose: (listener) => void webSocket.on('close', listener),
  };
}
