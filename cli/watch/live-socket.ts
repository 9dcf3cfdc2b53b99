import { WebSocket } from 'ws';
import type { Socket, SocketEvents } from '../../server/dashboard/page/link/connection.ts';

/** As served by a server's dashboard. */
const LIVE_PATH = '/dashboard/live';

/** Opens the connection on which a dashboard is told what happens. @param url of the server */
export function openLiveSocket(url: string, events: SocketEvents): Socket {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws').replace(/\/$/, '')}${LIVE_PATH}`);
  socket.on('open', events.opened);
  socket.on('message', (data) => events.text(String(data)));
  socket.on('close', events.closed);
  // It closes after that, and is opened again.
  socket.on('error', () => {});
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.terminate(),
  };
}
