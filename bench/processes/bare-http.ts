import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './answers.ts';
import { openAppendLog, type Append } from './append-log.ts';

/** What our server would be without anything but HTTP and durability: no keys, no checks, no queries. */
function bareServer(append: Append) {
  const kept = new Map<string, string>();
  let lastId = 0;

  async function create(text: string, response: ServerResponse): Promise<void> {
    const id = `bare_${++lastId}`;
    const record = JSON.stringify({ id, ...(JSON.parse(text) as object) });
    await append(record);
    kept.set(id, record);
    reply(response, 200, record);
  }

  return createServer((request, response) => {
    if (request.method === 'GET') {
      const record = kept.get(request.url!.slice(request.url!.lastIndexOf('/') + 1));
      return record === undefined ? reply(response, 404, '{}') : reply(response, 200, record);
    }
    readText(request, (text) => void create(text, response));
  });
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

answerParent({
  start({ path }: { path: string }) {
    const server = bareServer(openAppendLog(path));
    return new Promise((resolve) => {
      // Its connections rest while ours are measured.
      server.keepAliveTimeout = 0;
      server.listen(0, '127.0.0.1', () => {
        resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
      });
    });
  },
});
