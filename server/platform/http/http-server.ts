import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { inject as Inject } from 'light-my-request';
import type { RequestContexts } from './request-context.ts';
import type { Routing } from './routing.ts';
import { sendParserError, handleUnroutedRequests } from './calls/unrouted-requests.ts';
import { upgradableRequest } from './sockets/upgrades.ts';
import { listenOn } from '../listen.ts';

const REQUEST_MS_MAX = 60_000; // for the whole request to arrive, so that slow ones do not pile up
/** How long a connection may rest: longer than the 60 s of usual load balancers, which then close first. */
export const KEEP_ALIVE_MS = 72_000;

/** The HTTP server of all sandboxes of a process. */
export interface HttpServer {
  /** The server that listens, for upgrades. */
  readonly server: Server;
  /** Sends a request without a network. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /**
   * Listens on a host, and returns the address that was taken; of `localhost` it listens on both addresses, and returns
   * the first. Rejects with the system's error.
   */
  listen(where: { host: string; port: number }): Promise<AddressInfo>;
  /**
   * Refuses new requests, calls `endUpgraded`, and resolves when all connections have ended.
   * @param endUpgraded ends the connections that were upgraded, which do not end by themselves
   */
  close(endUpgraded?: () => Promise<void>): Promise<void>;
  /** Cuts what `close` still waits for. */
  closeAllConnections(): void;
}

/** Loaded by the first request without a network, and once: each import of a bundled CommonJS module copies its members. */
let injection: Promise<{ inject: typeof Inject }> | undefined;

/** Creates an HTTP server whose requests get the services of their sandbox. Does not listen. */
export function createHttpServer(routing: Routing, contexts: RequestContexts): HttpServer {
  const { main } = contexts;
  const server = createNodeServer();
  const servers = [server];

  function createNodeServer(): Server {
    const options = {
      IncomingMessage: upgradableRequest(() => server),
      // A bad Host header is refused by the routing, with the envelope.
      requireHostHeader: false,
      requestTimeout: REQUEST_MS_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    const created = createServer(options, (request, response) => {
      if (main.closing) response.setHeader('Connection', 'close');
      handle(request, response);
    });
    created.on('clientError', (error, socket) => sendParserError(error, socket, main.services));
    handleUnroutedRequests(created, main.services);
    return created;
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    // While the server closes, `main` refuses every request.
    const context = main.closing ? main : contexts.of(request);
    if (!(context instanceof Promise)) return routing(request, response, context);
    void context.then((opened) => routing(request, response, opened));
  }

  async function listenAlso(host: string, port: number): Promise<void> {
    const second = createNodeServer();
    second.on('upgrade', (...upgrade) => server.emit('upgrade', ...upgrade));
    // The first address serves alone when the system has no second one.
    await listenOn(second, { host, port }).then(
      () => servers.push(second),
      () => undefined,
    );
  }

  return {
    server,
    async inject(request) {
      if (main.closing) throw new Error('the server is closed');
      const { inject } = await (injection ??= import('light-my-request'));
      return inject(handle, request);
    },
    async listen({ host, port }) {
      const first = await listenOn(server, { host, port });
      const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [];
      for (const { address } of addresses) {
        if (address !== first.address) await listenAlso(address, first.port);
      }
      return first;
    },
    async close(endUpgraded) {
      main.closing = true;
      await endUpgraded?.();
      await Promise.all(servers.map(closed));
    },
    closeAllConnections() {
      for (const one of servers) one.closeAllConnections();
    },
  };
}

function closed(server: Server): Promise<void> {
  // Also when it never listened: Node then calls back with an error.
  return new Promise((resolve) => void server.close(() => resolve()));
}
