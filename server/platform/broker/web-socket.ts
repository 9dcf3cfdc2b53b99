import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { refuseUpgrade, serveUpgrade } from '../http/sockets/upgrades.ts';

// A frame carries any part of the MQTT stream (MQTT-6.0.0-2); this bounds what one can make us hold.
const FRAME_BYTES_MAX = 1024 * 1024;

/**
 * MQTT over WebSocket (MQTT 3.1.1 §6) at `path` of an HTTP server.
 * @returns what stops it and cuts its connections, for which the HTTP server would wait when it closes
 */
export function serveMqttOverWebSocket(
  http: Server,
  path: string,
  attach: (stream: Duplex) => void,
): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
    handleProtocols: () => 'mqtt',
  });

  const stop = serveUpgrade(http, path, (request, socket, head) => {
    // MQTT-6.0.0-3: the client must offer the subprotocol.
    if (!offers(request, 'mqtt')) return refuseUpgrade(socket, '400 Bad Request');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('message', (_data, isBinary) => {
        if (!isBinary) webSocket.close(1003); // MQTT-6.0.0-1
      });
      attach(createWebSocketStream(webSocket));
    });
  });
  return () => {
    stop();
    for (const webSocket of sockets.clients) webSocket.terminate();
  };
}

function offers(request: IncomingMessage, protocol: string): boolean {
  const offered = request.headers['sec-websocket-protocol'] ?? '';
  return offered.split(',').some((name) => name.trim() === protocol);
}
