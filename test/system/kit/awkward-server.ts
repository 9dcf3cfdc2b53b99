import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOn } from '../../../server/platform/listen.ts';

/** What a server does in place of a reply. */
export type Awkwardness = 'html' | 'slow' | 'limited' | 'breaks off' | 'redirects' | 'closes';

interface AwkwardServer {
  url: string;
  /** What it was asked, such as `POST /v1/customers`, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts a server that passes requests on to another one, unless `of` says what it does in place of that. */
export async function startAwkwardServer(
  target: string,
  of: (asked: string, count: number) => Awkwardness | undefined,
): Promise<AwkwardServer> {
  const asked: string[] = [];
  const http = createServer((incoming, reply) => {
    const what = `${incoming.method} ${incoming.url!.split('?')[0]}`;
    asked.push(what);
    const awkwardness = of(what, asked.length);
    if (awkwardness === undefined) return passOn(target, incoming, reply);
    incoming.resume();
    ACTS[awkwardness](reply, target);
  });
  const { port } = await listenOn(http, { host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

const ACTS: Record<Awkwardness, (reply: ServerResponse, target: string) => void> = {
  html: (reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>Maintenance</html>'),
  slow: () => {},
  limited: (reply) => reply.writeHead(429, { 'retry-after': '1' }).end('{}'),
  'breaks off': (reply) => {
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    reply.write('{"id":');
    setImmediate(() => reply.destroy());
  },
  redirects: (reply, target) => reply.writeHead(307, { location: `${target}/v1/customers` }).end(),
  closes: (reply) => reply.destroy(),
};

function passOn(target: string, incoming: IncomingMessage, reply: ServerResponse): void {
  const { host: _host, ...headers } = incoming.headers;
  const outgoing = request(target + incoming.url!, { method: incoming.method, headers }, (answer) => {
    reply.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(reply);
  });
  outgoing.on('error', () => reply.destroy());
  incoming.pipe(outgoing);
}
