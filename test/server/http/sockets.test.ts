import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { exchange, listening } from './listening-server.ts';

test.each([
  ['rubbish', 'hello there\r\n\r\n'],
  ['bytes', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x0d, 0x0a])],
  ['a header without a name', 'GET /v1/x HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
  ['two lengths', 'POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'a length and chunks',
    'POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a header without end', `GET /v1/x HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
])('%s gets an answer that is valid HTTP with the envelope', async (_what, sent) => {
  const { port } = await listening();
  const answer = await exchange(port, sent);
  const [head, body] = answer.split('\r\n\r\n') as [string, string];
  expect(head.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toMatchObject({
    code: '400',
    errors: [{ code: 'bad_request', message: 'the request is not valid HTTP' }],
  });
});

test('a client that goes away in the middle of its body harms nobody', async () => {
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

test('a body whose chunks grow beyond the limit is refused while it comes', async () => {
  const { port, services } = await listening();
  const head = `POST /v1/in-person/locations HTTP/1.1\r\nHost: a\r\nAuthorization: ${services.settings.secretKey}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const answer = await exchange(port, head + chunk.repeat(17));
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('the body is larger than 1 MiB');
});
