import { WebSocket } from 'ws';
import { Fault } from '../../protocol/failures.ts';
import type { Socket, SocketEvents } from '../../server/dashboard/page/link/connection.ts';
import { refused, type ServerApi } from '../client/api-client.ts';

/**
 * Exchanges the secret key for a dashboard token. @throws Fault `transport` when the server cannot be reached,
 * `server_answer` when it refuses the key.
 */
export async function sessionOf(api: ServerApi, key: string): Promise<string> {
  const path = '/dashboard/session';
  const answer = await api.ask('POST', path, { key });
  if (answer.status !== 200) throw refused('POST', path, answer, api);
  const { token } = (answer.body ?? {}) as { token?: unknown };
  if (typeof token !== 'string') {
    throw new Fault('server_answer', `POST ${path} did not reply as a Tapbench server does`);
  }
  return token;
}

/** Path of the dashboard's WebSocket. */
const LIVE_PATH = '/dashboard/live';

/** Opens the WebSocket that sends live updates of the dashboard. @param server its URL */
export function openLiveSocket(server: string, events: SocketEvents): Socket {
  const socket = new WebSocket(`${server.replace(/^http/, 'ws').replace(/\/$/, '')}${LIVE_PATH}`);
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
