import type { IncomingMessage, Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import { refuseUpgrade, serveUpgrade } from './upgrades.ts';

/** A connection that carries texts both ways. */
export interface TextSocket {
  /** Nothing happens when it is closed. */
  send(text: string): void;
  /** What was sent and has not left yet: grows when the other end does not read. */
  readonly bufferedBytes: number;
  /** @param code of RFC 6455 §7.4, 4000 and on are our own */
  close(code: number, reason: string): void;
  /**
   * Gives the connection one of the places for authenticated ones. Until then it holds none and may be dropped for
   * a newer one.
   * @returns whether there was a place
   */
  admit(): boolean;
  onText(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

interface TextSocketOptions {
  path: string;
  clock: Clock;
  /** Whether who asks may come in at all; refused with 403 when not. */
  admits(headers: IncomingMessage['headers']): boolean;
  accepted(socket: TextSocket): void;
}

// What a client says is short; this bounds what one can make us hold.
const FRAME_BYTES_MAX = 16 * 1024;
const ADMITTED_MAX = 64;
// Connections that have not authenticated: of more the oldest is dropped.
const WAITING_MAX = 32;
// Somebody who closes a laptop says no goodbye.
const PING_EVERY_MS = 30_000;
// Nobody who is there needs longer to answer a goodbye.
const GOODBYE_MS = 500;

/** Serves texts over WebSocket (RFC 6455) at a path of an HTTP server. @returns what stops it and ends its connections */
export function serveTextSockets(http: Server, options: TextSocketOptions): () => Promise<void> {
  const { path, clock, admits, accepted } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
  });
  const pinger = createPinger(sockets, clock);
  const places = createPlaces();
  const stop = serveUpgrade(http, path, (request, socket, head) => {
    if (!admits(request.headers)) return refuseUpgrade(socket, '403 Forbidden');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      pinger.watch(webSocket);
      places.wait(webSocket);
      accepted(textSocketOf(webSocket, () => places.admit(webSocket)));
    });
  });
  return async () => {
    stop();
    pinger.stop();
    const ended = [...sockets.clients].map((webSocket) => {
      webSocket.close(1001, 'the server stops');
      return new Promise<void>((resolve) => webSocket.once('close', () => resolve()));
    });
    const cut = after(clock, GOODBYE_MS, () => sockets.clients.forEach((webSocket) => webSocket.terminate()));
    await Promise.all(ended);
    cut.cancel();
  };
}

/** Which connections have authenticated, and which have yet to. */
function createPlaces() {
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

/** Hangs up on who has not answered since the last time it was asked. */
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
  // A connection that breaks is closed next; a frame that is too long ends it too.
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
