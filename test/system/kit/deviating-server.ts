import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { Json } from './http-call.ts';

/** Where a reader of the specification and of docs/compare.md puts a difference. */
type Place = 'rule' | 'choice' | 'fact' | 'new' | 'extension';

/** A request on its way to the server; a deviation may change it. */
interface Asked {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  /** The JSON of the body, or else undefined. */
  body: Json;
}

/** A reply on its way back; a deviation may change it. */
export interface Reply {
  status: number;
  contentType: string;
  body: Json;
}

/** One way in which a server deviates, and what a comparison must say of it. */
export interface Deviation {
  name: string;
  /** Part of the API that it is in. */
  area: string;
  /** Scenarios that concern it, separated by commas. */
  scenarios: string;
  /** The operation whose requests and replies it changes, such as `GET /customers/{id}`; `*` for every operation. */
  at: string;
  /** Changes a request. The memory is empty at the start of a comparison. */
  ask?: (asked: Asked, memory: Map<string, Json>) => void;
  /** Changes a reply. */
  reply?: (reply: Reply, asked: Asked, memory: Map<string, Json>) => void;
  /** Every difference that there is, `SCENARIO STEP KIND MEMBER`, and its place. The scenario is left out when there is one. */
  differs: Record<string, Place>;
  /** The part of the output that says why a scenario cannot be judged. */
  notShown?: string;
}

/** A server in front of another one that deviates from it in one way. */
export interface DeviatingServer {
  url: string;
  /** Sets how it deviates; not at all with undefined. */
  deviate(deviation: Deviation | undefined): void;
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback that passes everything on to `target`, as it is until `deviate` is called. */
export async function startDeviatingServer(target: string): Promise<DeviatingServer> {
  let deviation: Deviation | undefined;
  let memory = new Map<string, Json>();
  const server = createServer((incoming, outgoing) => {
    answer(target, incoming, deviation, memory).then(
      ({ status, headers, bytes }) => outgoing.writeHead(status, headers).end(bytes),
      () => outgoing.destroy(),
    );
  });
  // A connection that is closed while a request is on its way is no deviation.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    deviate(next) {
      deviation = next;
      memory = new Map();
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

async function answer(
  target: string,
  incoming: IncomingMessage,
  deviation: Deviation | undefined,
  memory: Map<string, Json>,
): Promise<{ status: number; headers: Record<string, string>; bytes: string | Buffer }> {
  const bytes = await bytesOf(incoming);
  const asked: Asked = {
    method: incoming.method!,
    url: new URL(target + incoming.url!),
    headers: incoming.headers,
    body: jsonOf(bytes.toString('utf8')),
  };
  const concerned =
    deviation && (deviation.at === '*' || isAt(deviation.at, asked.method, asked.url.pathname));
  if (concerned) deviation.ask?.(asked, memory);
  const reply = await pass(asked, bytes);
  if (concerned) deviation.reply?.(reply, asked, memory);
  const headers = { 'content-type': reply.contentType };
  const hasNone = reply.body === undefined;
  const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  return { status: reply.status, headers: hasNone ? {} : headers, bytes: hasNone ? '' : body };
}

/** Whether a request is one of an operation, whose path has `{…}` for one part. */
function isAt(operation: string, method: string, path: string): boolean {
  const [wantedMethod, wantedPath] = operation.split(' ');
  const pattern = wantedPath!.replaceAll(/\{[^}]*\}/g, '[^/]+');
  return method === wantedMethod && new RegExp(`/v1${pattern}$`).test(path);
}

function pass({ method, url, headers }: Asked, bytes: Buffer): Promise<Reply> {
  const passed: IncomingHttpHeaders = { ...headers, 'content-length': String(bytes.length), host: url.host };
  delete passed.connection;
  delete passed['transfer-encoding'];
  delete passed['accept-encoding'];
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: passed, agent: false }, (response) => {
      const contentType = response.headers['content-type'] ?? 'application/json';
      textOf(response).then((text) => {
        const body = text === '' ? undefined : (jsonOf(text) ?? text);
        resolve({ status: response.statusCode!, contentType, body });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
