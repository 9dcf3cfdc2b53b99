import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleParentRequests, sampleIds, type FillRequest } from './parent-requests.ts';
import { openAppendLog, type Append } from './append-log.ts';
import { KEEP_ALIVE_MS } from '../../server/platform/http/http-server.ts';

const LIST = '/v1/payment-sessions';
const PAGE = 10;

/** A server with HTTP and durability only: no keys, no validation, no queries. */
function bareServer(append: Append) {
  const kept = new Map<string, string>();
  const inOrder: string[] = [];
  let lastId = 0;

  function keep(text: string): { id: string; record: string } {
    const id = `bare_${++lastId}`;
    return { id, record: JSON.stringify({ id, ...(JSON.parse(text) as object) }) };
  }

  async function create(text: string, response: ServerResponse): Promise<void> {
    const { id, record } = keep(text);
    await append(record);
    kept.set(id, record);
    inOrder.push(record);
    reply(response, 200, record);
  }

  /** Lists the ten newest records, or the ten before one. */
  function list(startsAfter: string | undefined, response: ServerResponse): void {
    const end = startsAfter === undefined ? inOrder.length : Number(startsAfter.slice('bare_'.length)) - 1;
    const items = inOrder.slice(Math.max(0, end - PAGE), end).toReversed();
    reply(response, 200, `{"items":[${items.join(',')}]}`);
  }

  function fill({ count, body, sampleCount }: FillRequest): string[] {
    const text = JSON.stringify(body);
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { id, record } = keep(text);
      kept.set(id, record);
      inOrder.push(record);
      ids.push(id);
    }
    return sampleIds(ids, sampleCount);
  }

  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const [path, startsAfter] = request.url!.split('?startsAfter=') as [string, string | undefined];
      if (path === LIST) return list(startsAfter, response);
      const record = kept.get(request.url!.slice(request.url!.lastIndexOf('/') + 1));
      return record === undefined ? reply(response, 404, '{}') : reply(response, 200, record);
    }
    readText(request, (text) => void create(text, response));
  });
  return { server, fill };
}

function readText(request: IncomingMessage, use: (text: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => use(Buffer.concat(chunks).toString('utf8')));
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

let started: ReturnType<typeof bareServer> | undefined;

handleParentRequests({
  start({ path }: { path: string }) {
    started = bareServer(openAppendLog(path));
    const { server } = started;
    return new Promise((resolve) => {
      // As ours: a header of each reply, and a timer for a connection that rests.
      server.keepAliveTimeout = KEEP_ALIVE_MS;
      server.listen(0, '127.0.0.1', () => {
        resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
      });
    });
  },
  fill: (order: FillRequest) => started!.fill(order),
});
