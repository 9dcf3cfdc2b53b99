import { pathInSandbox } from './sandbox-path.ts';
import type { Socket, SocketEvents } from './connection.ts';

/** Opens a WebSocket to the server that this page came from. */
export function openSocket({ opened, text, closed }: SocketEvents): Socket {
  const socket = new WebSocket(
    location.origin.replace(/^http/, 'ws') + pathInSandbox('/dashboard/live', location.pathname),
  );
  socket.addEventListener('open', opened);
  socket.addEventListener('message', ({ data }) => text(String(data)));
  socket.addEventListener('close', ({ code }) => closed(code));
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    close: () => socket.close(),
  };
}
