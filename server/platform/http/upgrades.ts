import { IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasValidHost } from './host-header.ts';

/** Takes a connection that asks to be upgraded, with the bytes that came after its request. */
type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface Upgrades {
  takers: Map<string, TakeUpgrade>;
  stop(): void;
}

const upgrades = new WeakMap<Server, Upgrades>();

/**
 * Returns the request class of an HTTP server that upgrades to a WebSocket where `serveUpgrade` serves one, and
 * serves every other request with an `Upgrade` header as if it had none (RFC 9110 §7.8): some clients ask for
 * HTTP/2 (`h2c`) on every connection. Goes into the server's option `IncomingMessage`.
 */
export function upgradableRequest(server: () => Server): typeof IncomingMessage {
  // Node 20 asks a request, and nothing else, whether it is upgraded.
  return class UpgradableRequest extends IncomingMessage {
    declare private hasUpgradeHeader: boolean;

    get upgrade(): boolean {
      if (this.method === 'CONNECT') return true; // never an ordinary request: the parser stops after it
      return this.hasUpgradeHeader && takerOf(server(), this) !== undefined;
    }
    set upgrade(value: boolean) {
      this.hasUpgradeHeader = value;
    }
  };
}

/**
 * Gives the WebSocket upgrades of one path of an HTTP server to `take`. The server makes its requests with
 * `upgradableRequest`.
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
  const upgrade: TakeUpgrade = (request, socket, head) => takerOf(http, request)?.(request, socket, head);
  http.on('upgrade', upgrade);
  const served: Upgrades = {
    takers: new Map(),
    stop() {
      http.off('upgrade', upgrade);
      upgrades.delete(http);
    },
  };
  upgrades.set(http, served);
  return served;
}

/** What takes this upgrade: a WebSocket begins with a GET (RFC 6455 §4.1). */
function takerOf(http: Server, request: IncomingMessage): TakeUpgrade | undefined {
  const { method, url, headers } = request;
  const protocols = (headers.upgrade ?? '').toLowerCase().split(',');
  if (method !== 'GET' || !hasValidHost(request) || !protocols.some((name) => name.trim() === 'websocket'))
    return undefined;
  return upgrades.get(http)?.takers.get((url ?? '').split('?', 1)[0]!);
}

/** Answers an upgrade with a status such as `403 Forbidden`, and hangs up. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => undefined);
  // Node's server does not count it among its connections any more, and would wait for it when it closes.
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
