import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import {
  serveTextSockets,
  type TextSocket,
} from '../../../../../server/platform/http/sockets/text-socket.ts';
import { upgradableRequest } from '../../../../../server/platform/http/sockets/upgrades.ts';
import { VirtualClock } from '../../../../../world/virtual-clock.ts';

/** An HTTP server with texts at `/live`, which admits nobody from another page. */
async function serving() {
  const clock = new VirtualClock(0);
  const http: Server = createServer(
    { IncomingMessage: upgradableRequest(() => http) },
    (_request, response) => response.writeHead(404).end(),
  );
  const accepted: TextSocket[] = [];
  const stop = serveTextSockets(http, {
    path: '/live',
    clock,
    admits: ({ origin }) => origin === undefined,
    accepted: (socket) => void accepted.push(socket),
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  onTestFinished(async () => {
    await stop();
    await new Promise<void>((resolve) => http.close(() => resolve()));
  });
  const open = (path = '/live', options: ClientOptions = {}) =>
    new Promise<WebSocket>((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
      socket.on('open', () => resolve(socket)).on('error', reject);
    });
  return { accepted, clock, open, stop };
}

const closed = (socket: WebSocket) =>
  new Promise<string>((resolve) =>
    socket.on('close', (code, reason) => resolve(`${code} ${String(reason)}`.trim())),
  );

test('text socket: texts pass both ways until the server closes', async () => {
  const { open, accepted, stop } = await serving();
  const socket = await open('/live?any=query');
  const heard = new Promise((resolve) => accepted[0]!.onText(resolve));
  socket.send('hello');
  expect(await heard).toBe('hello');
  const told = new Promise((resolve) => socket.on('message', (data) => resolve(String(data))));
  accepted[0]!.send('{"type":"hello"}');
  expect(await told).toBe('{"type":"hello"}');
  expect(accepted[0]!.bufferedBytes).toBe(0);
  const end = closed(socket);
  await stop();
  expect(await end).toBe('1001 the server stops');
});

test.each([
  ['another path', '/other', {}, 404],
  ['a longer path', '/live/more', {}, 404],
  ['a page from elsewhere', '/live', { origin: 'https://evil.example' }, 403],
])('text socket: refuses %s', async (_what, path, options, status) => {
  const { open, accepted } = await serving();
  await expect(open(path, options)).rejects.toThrow(`Unexpected server response: ${status}`);
  expect(accepted).toEqual([]);
});

test('text socket: admits sixty-four connections, and the next when one has ended', async () => {
  const { open, accepted } = await serving();
  const first = await open();
  for (let pages = 1; pages < 65; pages += 1) {
    expect(accepted.at(-1)!.admit()).toBe(true);
    await open();
  }
  expect(accepted[64]!.admit()).toBe(false);
  expect(accepted[0]!.admit()).toBe(true);
  const end = new Promise<void>((resolve) => accepted[0]!.onClose(resolve));
  first.close();
  await end;
  expect(accepted[64]!.admit()).toBe(true);
});

test('text socket: silent connections take no place of admitted ones, and the oldest of them is dropped first', async () => {
  const { open, accepted } = await serving();
  const page = await open();
  accepted[0]!.admit();
  const oldest = await open();
  const end = closed(oldest);
  const rest = [];
  for (let silent = 1; silent < 100; silent += 1) rest.push(await open());
  expect(await end).toBe('1006');
  expect([page.readyState, rest.at(-1)!.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
  const late = await open();
  expect(accepted.at(-1)!.admit()).toBe(true);
  const told = new Promise((resolve) => late.on('message', (data) => resolve(String(data))));
  accepted.at(-1)!.send('hello');
  expect(await told).toBe('hello');
});

test.each([
  ['a text that is too long', 'x'.repeat(17_000), '1009'],
  ['bytes', Buffer.of(1, 2, 3), '1003 texts alone'],
])('text socket: %s ends the connection', async (_what, frame, end) => {
  const { open } = await serving();
  const socket = await open();
  socket.send(frame);
  expect(await closed(socket)).toBe(end);
});

test('text socket: a lost peer is noticed within a minute, a present one stays', async () => {
  const { open, accepted, clock } = await serving();
  const gone = await open('/live', { autoPong: false });
  const there = await open();
  const pinged = new Promise((resolve) => there.on('ping', resolve));
  const end = closed(gone);
  await clock.advance(30_000);
  await pinged;
  // What came after the ping says that its answer has arrived too.
  const heard = new Promise((resolve) => accepted[1]!.onText(resolve));
  there.send('after the ping');
  await heard;
  await clock.advance(30_000);
  expect(await end).toBe('1006');
  expect(there.readyState).toBe(WebSocket.OPEN);
});
