import { WebSocket } from 'ws';
import type { Socket, SocketEvents } from '../../server/dashboard/page/link/connection.ts';

/** Path of the dashboard's WebSocket. */
const LIVE_PATH = '/dashboard/live';

/** Opens the WebSocket that sends live updates of the dashboard. @param url address of the server */
export function openLiveSocket(url: string, events: SocketEvents): Socket {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws').replace(/\/$/, '')}${LIVE_PATH}`);
  socket.on('open', events.opened);
  socket.on('message', (data) => events.text(String(data)));
  socket.on('close', events.closed);
  // `close` follows, and the connection is opened again.
  socket.on('error', () => {});
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.terminate(),
  };
}
