import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import { turn, VirtualClock } from '../../../../world/virtual-clock.ts';
import { createOutgoing, type OutgoingOptions } from '../../../../server/platform/http/outgoing.ts';

const LOOPBACK = { address: '127.0.0.1', family: 4 };
const PUBLIC = { address: '1.1.1.1', family: 4 };

function outgoing(options: Partial<OutgoingOptions> = {}) {
  const made = createOutgoing({ publicOnly: false, ...options });
  onTestFinished(() => made.close());
  return made;
}

async function listening(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A receiver on a port of its own. */
async function receiver(
  listener: (...of: Parameters<RequestListener>) => void | Promise<void>,
): Promise<string> {
  const server = createServer((request, response) => void listener(request, response));
  onTestFinished(() => server.closeAllConnections());
  return `http://127.0.0.1:${await listening(server)}`;
}

/** A receiver that speaks as badly as it likes; `connections` counts who came. */
async function tcpReceiver(greeting = '') {
  const seen = { connections: 0 };
  const server = createTcpServer((socket) => {
    seen.connections += 1;
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(greeting));
    onTestFinished(() => void socket.destroy());
  });
  return { port: await listening(server), seen };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const post = { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 5_000 };
const impatient = { ...post, timeoutMs: 150 };

async function faultOf(answer: Promise<unknown>): Promise<{ code: string; message: string }> {
  const thrown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(Fault);
  const { code, message } = thrown as Fault;
  return { code, message };
}

test('outgoing request: sends the bytes and headers as given, and returns the status', async () => {
  let arrived: { method?: string | undefined; signature: unknown; bytes: Buffer } | undefined;
  const url = await receiver(async (request, response) => {
    const { method, headers } = request;
    arrived = { method, signature: headers['signature'], bytes: await bytesOf(request) };
    response.writeHead(418, { 'x-kettle': 'on' }).end('short and stout');
  });
  const body = '{"name":"Café Zoë","note":"\\ud83d 😀"}';
  const answer = await outgoing().post({ ...post, url, body, headers: { Signature: 'abc' } });
  expect(answer).toMatchObject({
    status: 418,
    headers: { 'x-kettle': 'on' },
    body: 'short and stout',
    isCut: false,
  });
  expect(arrived).toEqual({ method: 'POST', signature: 'abc', bytes: Buffer.from(body, 'utf8') });
});

test('outgoing request: does not follow a redirect', async () => {
  const paths: unknown[] = [];
  const url = await receiver((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await outgoing().post({ ...post, url: `${url}/here` })).toMatchObject({ status: 307 });
  expect(paths).toEqual(['/here']);
});

test('outgoing request: times out when the receiver says nothing', async () => {
  const url = await receiver(() => undefined);
  expect(await faultOf(outgoing().post({ ...impatient, url }))).toEqual({
    code: 'transport',
    message: 'no answer within 0.15 s',
  });
});

test('outgoing request: times out when the headers never end', async () => {
  const { port } = await tcpReceiver('HTTP/1.1 200 OK\r\nX-Slow: a');
  const answer = outgoing().post({ ...impatient, url: `http://127.0.0.1:${port}` });
  expect(await faultOf(answer)).toMatchObject({ code: 'transport', message: 'no answer within 0.15 s' });
});

test('outgoing request: times out when informational responses never end', async () => {
  const { port } = await tcpReceiver('HTTP/1.1 103 Early Hints\r\n\r\n');
  const answer = outgoing().post({ ...impatient, url: `http://127.0.0.1:${port}` });
  expect(await faultOf(answer)).toMatchObject({ code: 'transport', message: 'no answer within 0.15 s' });
});

test('outgoing request: a body that never ends does not change the status, and the connection is closed', async () => {
  const clock = new VirtualClock(0);
  let closed: Promise<unknown> | undefined;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const url = await receiver((_request, response) => {
    closed = once(response, 'close');
    response.writeHead(200, { 'content-type': 'text/plain' }).write('a', () => begin());
  });
  const answer = outgoing({ clock }).post({ ...impatient, url });
  await begun;
  // What is written to a socket of this process can be read in its next turns.
  for (let turns = 0; turns < 20; turns += 1) await turn();
  await clock.advance(impatient.timeoutMs);
  expect(await answer).toMatchObject({ status: 200, body: 'a' });
  await closed;
});

test('outgoing request: reads a body up to the limit only', async () => {
  let sent = 0;
  let closed: Promise<unknown> | undefined;
  const chunk = 'x'.repeat(64 * 1024);
  const url = await receiver((_request, response) => {
    closed = once(response, 'close');
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      response.once('drain', more);
    };
    more();
  });
  const answer = await outgoing().post({ ...post, url });
  expect(answer).toMatchObject({ status: 200, body: 'x'.repeat(4 * 1024), isCut: true });
  await closed;
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test('outgoing request: fails when the response is not HTTP', async () => {
  const { port } = await tcpReceiver('SSH-2.0-OpenSSH_9.6\r\n');
  const fault = await faultOf(outgoing().post({ ...post, url: `http://127.0.0.1:${port}` }));
  expect(fault.code).toBe('transport');
});

test('outgoing request: names the error of a closed port', async () => {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  const fault = await faultOf(outgoing().post({ ...post, url: `http://127.0.0.1:${port}` }));
  expect(fault.code).toBe('transport');
  expect(fault.message).toContain('ECONNREFUSED');
});

test('outgoing request: closing aborts pending requests and says so', async () => {
  let arrived!: () => void;
  const waiting = new Promise<void>((resolve) => (arrived = resolve));
  const url = await receiver(() => arrived());
  const out = outgoing();
  const answer = faultOf(out.post({ ...post, url }));
  await waiting;
  await out.close();
  expect((await answer).code).toBe('internal');
});

test('outgoing request: in the sandbox a receiver on this machine may be called', async () => {
  expect(await outgoing().allowed('http://127.0.0.1:3000')).toBe(true);
});

test('outgoing request: with live keys refuses every spelling of this machine and its networks', async () => {
  const { port, seen } = await tcpReceiver('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  const live = outgoing({ publicOnly: true });
  const hosts = [
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '１２７.0.0.1',
    'localhost',
    'localhost.',
    'LOCALHOST',
    '169.254.169.254',
    '10.0.0.1',
  ];
  for (const host of hosts) {
    const url = `http://${host}:${port}/hook`;
    expect(await live.allowed(url), host).toBe(false);
    expect((await faultOf(live.post({ ...post, url }))).code, host).toBe('transport');
  }
  expect(seen.connections).toBe(0);
});

test('outgoing request: with live keys a name must resolve to public addresses only', async () => {
  const names: Record<string, { address: string; family: number }[]> = {
    'open.example': [PUBLIC, { address: '2606:4700::1', family: 6 }],
    'half.example': [PUBLIC, LOOPBACK],
    'nowhere.example': [],
  };
  const live = outgoing({ publicOnly: true, resolve: async (name) => names[name]! });
  expect(await live.allowed('https://open.example/hook')).toBe(true);
  expect(await live.allowed('https://half.example/hook')).toBe(false);
  expect(await live.allowed('https://nowhere.example/hook')).toBe(false);
  const unknown = outgoing({ publicOnly: true, resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  expect(await unknown.allowed('https://unknown.example/hook')).toBe(false);
});

test('outgoing request: refuses a name that became private after it was registered', async () => {
  const { port, seen } = await tcpReceiver('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  const answers = [[PUBLIC], [LOOPBACK]];
  const live = outgoing({ publicOnly: true, resolve: async () => answers.shift()! });
  const url = `http://rebound.example:${port}/hook`;
  expect(await live.allowed(url)).toBe(true);
  const fault = await faultOf(live.post({ ...post, url }));
  expect(fault).toEqual({
    code: 'transport',
    message: 'no answer (rebound.example leads to a private address)',
  });
  expect(seen.connections).toBe(0);
});

test('outgoing request: connects to the address that was checked, and still names the host', async () => {
  let host: string | undefined;
  const url = await receiver((request, response) => {
    host = request.headers.host;
    response.end();
  });
  const { port } = new URL(url);
  const resolved: string[] = [];
  const live = outgoing({
    publicOnly: true,
    isPrivate: () => false,
    resolve: async (name) => {
      resolved.push(name);
      return [LOOPBACK];
    },
  });
  expect(await live.post({ ...post, url: `http://shop.example:${port}/hook` })).toMatchObject({
    status: 200,
  });
  expect(resolved).toEqual(['shop.example']);
  expect(host).toBe(`shop.example:${port}`);
});

test('outgoing request: TLS checks the certificate of the name, not of the address', async () => {
  const asked: string[] = [];
  const server = createTlsServer({
    SNICallback: (name, answer) => {
      asked.push(name);
      answer(new Error('no certificate here'));
    },
  });
  server.on('tlsClientError', () => undefined);
  const port = await listening(server);
  const live = outgoing({ publicOnly: true, isPrivate: () => false, resolve: async () => [LOOPBACK] });
  const fault = await faultOf(live.post({ ...post, url: `https://shop.example:${port}/hook` }));
  expect(fault.code).toBe('transport');
  expect(asked).toEqual(['shop.example']);
});

test('outgoing request: a resolver that hangs takes no more than the timeout', async () => {
  const live = outgoing({ publicOnly: true, resolve: () => new Promise(() => undefined) });
  const fault = await faultOf(live.post({ ...impatient, url: 'https://slow.example/hook' }));
  expect(fault).toEqual({ code: 'transport', message: 'no answer within 0.15 s' });
});

test('outgoing fetch: returns the content and its type, and reads only so far', async () => {
  const url = await receiver((request, response) => {
    if (request.url === '/file') {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('7B22');
      return;
    }
    response.writeHead(404);
    const more = () =>
      void (response.write('x'.repeat(10_000)) ? setImmediate(more) : response.once('drain', more));
    more();
  });
  const fetched = { headers: {}, timeoutMs: 5_000 };
  expect(await outgoing().get({ ...fetched, url: `${url}/file` })).toEqual({
    status: 200,
    contentType: 'application/octet-stream',
    body: '7B22',
  });
  const endless = await outgoing().get({ ...fetched, url: `${url}/endless` });
  expect(endless).toMatchObject({ status: 404, contentType: '' });
  expect(endless.body).toHaveLength(64 * 1024);
});

test('outgoing fetch: times out without a response or its end, and refuses a private address', async () => {
  const { port } = await tcpReceiver('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf');
  const url = `http://127.0.0.1:${port}`;
  const fetched = { headers: {}, timeoutMs: 150, url };
  expect(await faultOf(outgoing().get(fetched))).toEqual({
    code: 'transport',
    message: 'no answer within 0.15 s',
  });
  const { message } = await faultOf(outgoing({ publicOnly: true }).get(fetched));
  expect(message).toContain('leads to a private address');
});

test('outgoing: a body that is sent slowly arrives in pieces, whole, with its length', async () => {
  const clock = new VirtualClock(0);
  const seen: { length: string | undefined; pieces: string[] } = { length: undefined, pieces: [] };
  const url = await receiver(async (request, response) => {
    seen.length = request.headers['content-length'];
    for await (const piece of request) {
      seen.pieces.push(String(piece));
      arrived();
    }
    response.end();
  });
  let arrived = () => {};
  const body = JSON.stringify({ text: 'sent a little at a time' });
  const answer = outgoing({ clock }).post({ ...post, url, body, bodyMs: 20_000, timeoutMs: 30_000 });
  for (let piece = 1; piece <= 10; piece += 1) {
    const next = new Promise<void>((resolve) => (arrived = resolve));
    while (!clock.due.includes(piece * 2_000)) await turn();
    await clock.advance(2_000);
    await next;
  }
  expect((await answer).status).toBe(200);
  expect(seen.pieces).toHaveLength(10);
  expect([seen.length, seen.pieces.join('')]).toEqual([String(body.length), body]);
});

test('outgoing: a receiver that does not wait for a slow body is no answer', async () => {
  const clock = new VirtualClock(0);
  const url = await receiver((request) => void request.on('data', () => request.destroy()));
  const answer = outgoing({ clock }).post({ ...post, url, bodyMs: 20_000, timeoutMs: 30_000 });
  const fault = faultOf(answer);
  while (!clock.due.includes(10_000)) await turn();
  await clock.advance(10_000);
  expect(await fault).toMatchObject({ code: 'transport' });
});
