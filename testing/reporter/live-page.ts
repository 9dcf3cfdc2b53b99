import { createServer, type ServerResponse } from 'node:http';
import type { LivePageMessage } from './report-data.ts';
import { listenOn } from '../../server/platform/listen.ts';

/** HTTP server of the live page, on loopback. A new viewer gets all earlier messages. */
export interface LivePage {
  url: string;
  send(message: LivePageMessage): void;
  /** Resolves when the first viewer connects. */
  watched: Promise<void>;
  /** Closes the server when all viewers have received all messages. */
  close(): Promise<void>;
}

/** @throws Error `EADDRINUSE` when the port is taken. */
export async function openLivePage(html: string, port: number): Promise<LivePage> {
  const sent: string[] = [];
  const viewers = new Set<ServerResponse>();
  let onWatched = () => {};
  const watched = new Promise<void>((resolve) => (onWatched = resolve));

  const server = createServer((request, response) => {
    if (!isForThisMachine(request.headers.host)) return void response.writeHead(403).end();
    if (request.url === '/feed') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(sent.join(''));
      viewers.add(response);
      request.once('close', () => viewers.delete(response));
      return onWatched();
    }
    const found = request.url === '/';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(found ? html : '');
  });
  const { port: taken } = await listenOn(server, { host: '127.0.0.1', port });

  return {
    url: `http://127.0.0.1:${taken}/`,
    watched,
    send(message) {
      const event = `data: ${JSON.stringify(message)}\n\n`;
      sent.push(event);
      for (const viewer of viewers) viewer.write(event);
    },
    async close() {
      await Promise.all([...viewers].map((viewer) => new Promise<void>((resolve) => viewer.end(resolve))));
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Rejects requests with another Host header (DNS rebinding). */
function isForThisMachine(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? '');
}
