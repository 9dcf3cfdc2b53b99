import type { IncomingMessage, Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { refuseUpgrade, serveUpgrade } from './upgrades.ts';

/** A connection that carries texts both ways. */
export interface TextSocket {
  /** Nothing happens when it is closed. */
  send(text: string): void;
  /** What was sent and has not left yet: grows when the other end does not read. */
  readonly bufferedBytes: number;
  /** @param code of RFC 6455 §7.4, 4000 and on are our own */
  close(code: number, reason: string): void;
  onText(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

export interface TextSocketOptions {
  path: string;
  clock: Clock;
  /** Whether who asks may come in at all; refused with 403 when not. */
  admits(headers: IncomingMessage['headers']): boolean;
  accepted(socket: TextSocket): void;
}

// What a client says is short; this bounds what one can make us hold.
const FRAME_BYTES_MAX = 16 * 1024;
const CONNECTIONS_MAX = 64;
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
  const stop = serveUpgrade(http, path, (request, socket, head) => {
    if (!admits(request.headers)) return refuseUpgrade(socket, '403 Forbidden');
    if (sockets.clients.size >= CONNECTIONS_MAX) return refuseUpgrade(socket, '503 Service Unavailable');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      pinger.watch(webSocket);
      accepted(textSocketOf(webSocket));
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

function textSocketOf(webSocket: WebSocket): TextSocket {
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
    onText(listener) {
      webSocket.on('message', (data, isBinary) => {
        if (!isBinary) listener((data as Buffer).toString('utf8'));
      });
    },
    onClose: (listener) => void webSocket.on('close', listener),
  };
}
