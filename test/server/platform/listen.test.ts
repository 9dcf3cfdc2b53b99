import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../../../server/platform/listen.ts';

function openServer() {
  const server = createServer();
  onTestFinished(async () => {
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  });
  return server;
}

test('listenOn: returns the free port that was taken', async () => {
  const server = openServer();
  const address = await listenOn(server, { host: '127.0.0.1', port: 0 });
  expect(address).toEqual(server.address());
  expect(address.port).toBeGreaterThan(0);
});

test('listenOn: throws the error of the system for a port that is in use', async () => {
  const { port } = await listenOn(openServer(), { host: '127.0.0.1', port: 0 });
  const error = await listenOn(openServer(), { host: '127.0.0.1', port }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
});
