import { IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasValidHost } from '../host-header.ts';
import { pathOf } from '../path-params.ts';

/** Handles a connection that is upgraded, with the bytes that followed its request. */
type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Returns what begins to serve the upgrades of a path, and resolves with the path whose handler serves them; undefined for a
 * path that is not served.
 */
export type PathOpener = (path: string) => (() => Promise<string>) | undefined;

interface Upgrades {
  handlers: Map<string, UpgradeHandler>;
  opener: PathOpener;
  stop(): void;
}

const upgrades = new WeakMap<Server, Upgrades>();

/**
 * Returns the request class of an HTTP server that upgrades to a WebSocket where `serveUpgrade` serves one, and
 * serves every other request with an `Upgrade` header as if it had none (RFC 9110 §7.8): some clients ask for
 * HTTP/2 (`h2c`) on every connection. Goes into the server's option `IncomingMessage`.
 */
export function upgradableRequest(server: () => Server): typeof IncomingMessage {
  // Node 20 decides by the `upgrade` property of the request alone.
  return class UpgradableRequest extends IncomingMessage {
    declare private hasUpgradeHeader: boolean;

    get upgrade(): boolean {
      if (this.method === 'CONNECT') return true; // never an ordinary request: the parser stops after it
      return this.hasUpgradeHeader && handlerOf(server(), this) !== undefined;
    }
    set upgrade(value: boolean) {
      this.hasUpgradeHeader = value;
    }
  };
}

/**
 * Calls `handler` for the WebSocket upgrades of one path of an HTTP server, whose option `IncomingMessage` is
 * `upgradableRequest`.
 * @returns a function that removes the handler
 */
export function serveUpgrade(http: Server, path: string, handler: UpgradeHandler): () => void {
  const served = upgrades.get(http) ?? listen(http);
  served.handlers.set(path, handler);
  return () => {
    served.handlers.delete(path);
    if (served.handlers.size === 0) served.stop();
  };
}

/**
 * Calls `opener` for the upgrade of a path that is not served, and what it returns before the upgrade, which then has a
 * handler.
 */
export function openUpgradePaths(http: Server, opener: PathOpener): void {
  (upgrades.get(http) ?? listen(http)).opener = opener;
}

function listen(http: Server): Upgrades {
  const upgrade: UpgradeHandler = (request, socket, head) =>
    handlerOf(http, request)?.(request, socket, head);
  http.on('upgrade', upgrade);
  const served: Upgrades = {
    handlers: new Map(),
    opener: () => undefined,
    stop() {
      http.off('upgrade', upgrade);
      upgrades.delete(http);
    },
  };
  upgrades.set(http, served);
  return served;
}

/** The handler of an upgrade; undefined for none. A WebSocket begins with a GET (RFC 6455 §4.1). */
function handlerOf(http: Server, request: IncomingMessage): UpgradeHandler | undefined {
  const { method, url, headers } = request;
  const protocols = (headers.upgrade ?? '').toLowerCase().split(',');
  if (method !== 'GET' || !hasValidHost(request) || !protocols.some((name) => name.trim() === 'websocket'))
    return undefined;
  const served = upgrades.get(http);
  const path = pathOf(url ?? '');
  return served && (served.handlers.get(path) ?? openingHandler(served, path));
}

/** Returns the handler of a path that has to be opened first; undefined for a path that is not served. */
function openingHandler({ opener, handlers }: Upgrades, path: string): UpgradeHandler | undefined {
  const open = opener(path);
  if (!open) return undefined;
  return (request, socket, head) => {
    // The client may leave meanwhile.
    socket.on('error', () => undefined);
    open().then(
      (served) => {
        const handler = handlers.get(served);
        if (handler) handler(request, socket, head);
        else refuseUpgrade(socket, '404 Not Found');
      },
      () => refuseUpgrade(socket, '503 Service Unavailable'),
    );
  };
}

/** Refuses an upgrade with a status such as `403 Forbidden` and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => undefined);
  // Node's server no longer tracks this connection, and would wait for it when it closes.
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
