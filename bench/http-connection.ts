import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

interface HttpAnswer {
  status: number;
  body: string;
}

/** One keep-alive connection, one request at a time. */
export interface HttpConnection {
  ask(request: string): Promise<HttpAnswer>;
  close(): void;
}

/**
 * Opens a minimal HTTP/1.1 connection. A client library would use more CPU than the servers and hide their
 * difference. Replies need a content-length.
 */
export async function openHttp(url: string): Promise<HttpConnection> {
  let socket = await openSocket(url);
  return {
    ask(request) {
      if (!socket.isClosed()) return socket.ask(request);
      // A server closes a connection that rested while another one was measured.
      return openSocket(url).then((next) => (socket = next).ask(request));
    },
    close: () => socket.close(),
  };
}

async function openSocket(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return onSocket(socket);
}

function onSocket(socket: Socket): HttpConnection & { isClosed(): boolean } {
  let received = Buffer.alloc(0);
  let waiting: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | undefined;
  const settle = (run: (waits: NonNullable<typeof waiting>) => void) => {
    const waits = waiting;
    waiting = undefined;
    if (waits) run(waits);
  };
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = readAnswer(received);
    if (!answer) return;
    received = Buffer.alloc(0);
    settle(({ resolve }) => resolve(answer));
  });
  socket.on('error', (error) => settle(({ reject }) => reject(error)));
  socket.on('close', () => settle(({ reject }) => reject(new Error('the server closed the connection'))));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    isClosed: () => socket.destroyed,
    close: () => socket.destroy(),
  };
}

function readAnswer(received: Buffer): HttpAnswer | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${head}`);
  const bodyStart = headEnd + 4;
  if (received.length < bodyStart + Number(length)) return undefined;
  return { status: Number(head.slice(9, 12)), body: received.toString('utf8', bodyStart) };
}

/** Returns the text of a request. */
export function requestText(method: string, path: string, key: string, body?: object): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: ${key}`];
  if (body === undefined) return [...lines, '', ''].join('\r\n');
  const text = JSON.stringify(body);
  return [
    ...lines,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    '',
    text,
  ].join('\r\n');
}

/** Returns the body of a 2xx reply. @throws Error for any other status. */
export function succeeded({ status, body }: HttpAnswer): string {
  if (status < 200 || status > 299) throw new Error(`answered ${status}: ${body.slice(0, 300)}`);
  return body;
}
