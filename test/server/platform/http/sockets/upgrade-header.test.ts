import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serveUpgrade } from '../../../../../server/platform/http/sockets/upgrades.ts';
import { exchange, listening } from '../listening-server.ts';

const H2C =
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n';
const CLOSING_H2C = H2C.replace('Connection: ', 'Connection: close, ');
const WEBSOCKET = 'Connection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';

/** A server with one WebSocket, at `/live`. */
async function world() {
  const server = await listening();
  const taken: string[] = [];
  const stop = serveUpgrade(server.http.server, '/live', ({ url = '' }, socket) => {
    taken.push(url);
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  onTestFinished(stop);
  const head = (line: string, headers: string) =>
    `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: ${server.services.settings.secretKey}\r\n${headers}`;
  return { ...server, taken, head };
}

const LOCATION = JSON.stringify({
  name: 'Corner Shop',
  address: { lineOne: '1 High Street', country: 'GB', city: 'London', postalCode: 'N1 1AA' },
});

/** The status of each answer in these bytes. */
const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);

test.each([
  ['GET', 200],
  ['HEAD', 200],
  ['OPTIONS', 405],
  ['PUT', 405],
])('Upgrade header: a %s that asks for HTTP/2 is served as an ordinary request', async (method, status) => {
  const { port, head } = await world();
  const ordinary = await exchange(
    port,
    `${head(`${method} /v1/in-person/locations`, '')}Connection: close\r\n\r\n`,
  );
  const upgrading = await exchange(port, `${head(`${method} /v1/in-person/locations`, CLOSING_H2C)}\r\n`);
  expect(statuses(upgrading)).toEqual([String(status)]);
  const unlike = /^Date: .*$|"requestId":"[^"]*"/gim;
  expect(upgrading.replace(unlike, '')).toBe(ordinary.replace(unlike, ''));
});

test.each([
  ['of a known length', `Content-Length: ${LOCATION.length}\r\n\r\n`, LOCATION],
  [
    'in chunks',
    'Transfer-Encoding: chunked\r\n\r\n',
    `${LOCATION.length.toString(16)}\r\n${LOCATION}\r\n0\r\n\r\n`,
  ],
])(
  'Upgrade header: a body %s arrives with a request that asks for HTTP/2, in one piece or several',
  async (_how, ends, body) => {
    const { port, head, call } = await world();
    const request = head('POST /v1/in-person/locations', CLOSING_H2C) + ends;
    expect(statuses(await exchange(port, request + body))).toEqual(['200']);
    expect(statuses(await exchange(port, request, body.slice(0, 20), body.slice(20)))).toEqual(['200']);
    expect((await call('GET /v1/in-person/locations')).body.items).toHaveLength(2);
  },
);

test('Upgrade header: keeps the connection after a request that asks for HTTP/2', async () => {
  const { port, head } = await world();
  const request = `${head('GET /v1/in-person/locations', H2C)}\r\n`;
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  let received = '';
  socket.setEncoding('utf8');
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (text) => {
      received += text;
      const answers = statuses(received).length;
      if (answers === 3) resolve();
      else socket.write(request);
    });
  });
  socket.destroy();
  expect(statuses(received)).toEqual(['200', '200', '200']);
});

test.each([
  ['GET /v1/in-person/locations', '200'],
  ['GET /nothing/here', '404'],
  ['POST /live', '404'],
])('Upgrade header: %s with an upgrade to a WebSocket is served as without', async (line, status) => {
  const { port, head, taken } = await world();
  const answer = await exchange(port, `${head(line, WEBSOCKET)}\r\n`);
  expect(statuses(answer)).toEqual([status]);
  const body = JSON.parse(answer.split('\r\n\r\n')[1]!) as object;
  expect(body).toMatchObject(
    status === '200' ? { items: [] } : { code: '404', errors: [{ code: 'not_found' }] },
  );
  expect(taken).toEqual([]);
});

test('Upgrade header: a WebSocket is opened only where one is served', async () => {
  const { port, head, taken } = await world();
  const websocket = await exchange(port, `${head('GET /live?any=query', WEBSOCKET)}\r\n`);
  const h2c = await exchange(port, `${head('GET /live', CLOSING_H2C)}\r\n`);
  expect([statuses(websocket), statuses(h2c), taken]).toEqual([['101'], ['404'], ['/live?any=query']]);
});
