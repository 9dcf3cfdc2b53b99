import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOn } from '../../../server/platform/listen.ts';

/** A port on this machine at which a process reaches a sandbox. */
export interface SandboxPort {
  url: string;
  /** Number of requests without a reply. */
  readonly open: number;
  /** Number of requests and replies so far. */
  readonly passed: number;
  close(): Promise<void>;
}

// Those of one connection, and what the sandbox sets itself.
const OF_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

/** Opens a port. @param forward replies to a request, or throws where its connection is closed instead */
export async function openSandboxPort(
  forward: (path: string, init: RequestInit) => Promise<Response>,
): Promise<SandboxPort> {
  let open = 0;
  let passed = 0;
  const server = createServer((request, response) => {
    open += 1;
    passed += 1;
    // Also when the process was killed before the reply.
    response.once('close', () => {
      open -= 1;
      passed += 1;
    });
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/' } = request;
    const body = chunks.length > 0 ? { body: new Uint8Array(Buffer.concat(chunks)) } : {};
    const reply = await forward(url, { method, headers: headersOf(request), ...body });
    response.writeHead(reply.status, [...reply.headers].filter(([name]) => !OF_CONNECTION.has(name)).flat());
    response.end(Buffer.from(await reply.arrayBuffer()));
  }

  const { port } = await listenOn(server, { host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${port}`,
    get open() {
      return open;
    },
    get passed() {
      return passed;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, values]) =>
    OF_CONNECTION.has(name) ? [] : [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
}
