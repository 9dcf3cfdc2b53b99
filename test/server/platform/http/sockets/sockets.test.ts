import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { REFUSALS, type RefusalName } from '../../../../../server/platform/http/refusals.ts';
import { serveUpgrade } from '../../../../../server/platform/http/sockets/upgrades.ts';
import { messageOf } from '../../../../journeys/refusals/message.ts';
import { exchange, listening } from '../listening-server.ts';

const GET = 'GET /v1/nothing HTTP/1.1\r\nConnection: close\r\n';
const POST = 'POST /v1/in-person/locations HTTP/1.1\r\n';

/** That these bytes are one answer of HTTP, and the envelope of this refusal. */
function expectRefusal(received: string, name: RefusalName): void {
  const [head, body] = received.split('\r\n\r\n') as [string, string];
  const { status, code } = REFUSALS[name];
  expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`);
  expect(head.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toEqual({
    requestId: expect.any(String),
    code: String(status),
    errors: [{ code, message: expect.stringMatching(messageOf(name)) }],
  });
}

test.each([
  ['rubbish', 'hello there\r\n\r\n'],
  ['bytes', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x0d, 0x0a])],
  ['a header without a name', 'GET /v1/x HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
  ['two lengths', 'POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'a length and chunks',
    'POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])(
  'socket: %s gets a valid HTTP response with the envelope',
  { tags: ['refusal:bad_http'] },
  async (_what, sent) => {
    const { port } = await listening();
    expectRefusal(await exchange(port, sent), 'bad_http');
  },
);

test.each([
  ['no Host header', 'bad_host', GET],
  ['an empty request of HTTP/1.1 without headers', 'bad_host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two Host headers', 'bad_host', `${GET}Host: a\r\nHost: b\r\n`],
  ['two Host headers that are the same', 'bad_host', `${GET}Host: a\r\nhOST: a\r\n`],
  ['two Host headers in HTTP/1.0', 'bad_host', `${GET.replace('1.1', '1.0')}Host: a\r\nHost: a\r\n`],
  ['a Host header with a path', 'bad_host', `${GET}Host: a/b\r\n`],
  ['a Host header with a user', 'bad_host', `${GET}Host: user@a\r\n`],
  ['a Host header of two words', 'bad_host', `${GET}Host: a b\r\n`],
  ['headers that are too large', 'headers_too_large', `${GET}Host: a\r\nX: ${'x'.repeat(100_000)}\r\n`],
  [
    'chunk extensions that are too large',
    'chunk_extensions_too_large',
    `${POST}Host: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(100_000)}\r\na\r\n0\r\n`,
  ],
  ['an expectation that is unknown', 'unknown_expectation', `${GET}Host: a\r\nExpect: 200-ok\r\n`],
  ['a CONNECT', 'wrong_method', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n'],
] as const)(
  'socket: %s is refused as %s, with the envelope',
  {
    tags: [
      'refusal:bad_host',
      'refusal:headers_too_large',
      'refusal:chunk_extensions_too_large',
      'refusal:unknown_expectation',
    ],
  },
  async (_what, name, sent) => {
    const { port } = await listening();
    expectRefusal(await exchange(port, `${sent}\r\n`), name);
  },
);

test.each(['a', 'a:8080', 'a_b.example:', '127.0.0.1:80', '[::1]:8080', '%61', ''])(
  'socket: accepts a Host header "%s"',
  async (host) => {
    const { port } = await listening();
    expectRefusal(await exchange(port, `${GET}Host: ${host}\r\n\r\n`), 'unknown_path');
  },
);

test('socket: refuses an upgrade with two Host headers, with the envelope', async () => {
  const { port, http } = await listening();
  onTestFinished(serveUpgrade(http.server, '/live', (_request, socket) => void socket.destroy()));
  const asks = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\nHost: a\r\nHost: b\r\n\r\n';
  expectRefusal(await exchange(port, `GET /live HTTP/1.1\r\n${asks}`), 'bad_host');
});

test(
  'socket: refuses a request that does not arrive in time, with the envelope',
  { tags: ['refusal:request_timeout'] },
  async () => {
    const { port, http } = await listening();
    // Node looks for such requests every 30 s of real time; this is what it then does.
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    http.server.on('connection', (socket) => http.server.emit('clientError', late, socket));
    expectRefusal(await exchange(port, 'GET /v1/x HTTP/1.1\r\n'), 'request_timeout');
  },
);

test(
  'socket: refuses a request while the server stops, with the envelope',
  { tags: ['refusal:stopping'] },
  async () => {
    const { port, http } = await listening();
    const connected = once(http.server, 'connection');
    const socket = connect(port, '127.0.0.1');
    await connected;
    const closed = http.close();
    const answer = new Promise<string>((resolve, reject) => {
      let received = '';
      socket.on('data', (bytes) => (received += String(bytes)));
      socket.on('error', reject).on('close', () => resolve(received));
    });
    socket.write(`${GET}Host: a\r\n\r\n`);
    expectRefusal(await answer, 'stopping');
    await closed;
  },
);

test('socket: a client that disconnects in the middle of its body affects no other', async () => {
  const { port, services, call, logged } = await listening();
  const { secretKey } = services.settings;
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      const head = `POST /v1/in-person/locations HTTP/1.1\r\nHost: a\r\nAuthorization: ${secretKey}\r\nContent-Length: 500\r\n\r\n`;
      socket.write(`${head}{"name":`, () => socket.destroy());
    });
    socket.on('close', () => resolve());
  });
  expect((await call('GET /v1/in-person/locations')).body.items).toEqual([]);
  expect(logged).toEqual([]);
});

test('socket: refuses a chunked body as soon as it exceeds the limit', async () => {
  const { port, services } = await listening();
  const head = `POST /v1/in-person/locations HTTP/1.1\r\nHost: a\r\nAuthorization: ${services.settings.secretKey}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const answer = await exchange(port, head + chunk.repeat(17));
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('the body is larger than 1 MiB');
});
