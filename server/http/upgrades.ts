import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Takes a connection that asks to be upgraded, with the bytes that came after its request. */
export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface Upgrades {
  takers: Map<string, TakeUpgrade>;
  stop(): void;
}

const upgrades = new WeakMap<Server, Upgrades>();

/**
 * Gives the upgrades of one path of an HTTP server to `take`. Those of paths that nobody serves are refused.
 * @returns what ends that
 */
export function serveUpgrade(http: Server, path: string, take: TakeUpgrade): () => void {
  const served = upgrades.get(http) ?? listen(http);
  served.takers.set(path, take);
  return () => {
    served.takers.delete(path);
    if (served.takers.size === 0) served.stop();
  };
}

function listen(http: Server): Upgrades {
  const takers = new Map<string, TakeUpgrade>();
  const upgrade: TakeUpgrade = (request, socket, head) => {
    const take = takers.get((request.url ?? '').split('?', 1)[0]!);
    if (take) take(request, socket, head);
    else refuseUpgrade(socket, '404 Not Found');
  };
  http.on('upgrade', upgrade);
  const served: Upgrades = {
    takers,
    stop() {
      http.off('upgrade', upgrade);
      upgrades.delete(http);
    },
  };
  upgrades.set(http, served);
  return served;
}

/** Answers an upgrade with a status such as `404 Not Found`, and hangs up. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
