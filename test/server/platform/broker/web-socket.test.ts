import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { SystemClock } from '../../../../protocol/clock.ts';
import { systemRandom } from '../../../../protocol/ids.ts';
import { mqttConnector } from '../../../../protocol/mqtt-link.ts';
import { SERVER_FILTERS } from '../../../../protocol/topics.ts';
import { upgradableRequest } from '../../../../server/platform/http/sockets/upgrades.ts';
import { envelope, connectedPeer, waitUntil } from '../../../contract/peer.ts';
import { embeddedBroker } from './embedded-broker.ts';

async function world() {
  const embedded = await embeddedBroker();
  const http: Server = createServer(
    { IncomingMessage: upgradableRequest(() => http) },
    (_request, response) => response.writeHead(404).end(),
  );
  const stop = embedded.broker.serveWebSocket(http, '/mqtt');
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return { ...embedded, http, port: (http.address() as AddressInfo).port, stop };
}

function closed(http: Server): Promise<void> {
  return new Promise((resolve) => http.close(() => resolve()));
}

/** The status with which an upgrade is answered. */
function upgrade(port: number, path: string, protocol: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request({
      port,
      path,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version': '13',
        'sec-websocket-protocol': protocol,
      },
    });
    asking.on('response', (response) => resolve(response.resume().statusCode));
    asking.on('upgrade', (response, socket) => (socket.destroy(), resolve(response.statusCode)));
    asking.on('error', reject);
    asking.end();
  });
}

test('WebSocket: a terminal connects over the HTTP port, its last will with it', async () => {
  const { broker, cast, connect, http, log, port } = await world();
  const clock = new SystemClock();
  const overWebSocket = mqttConnector({
    url: `ws://127.0.0.1:${port}/mqtt`,
    clock,
    random: systemRandom,
    log,
  });
  const server = await connectedPeer(connect, { credentials: cast.server, subscriptions: SERVER_FILTERS });
  const report = `tapbench/terminals/${cast.till.username}/reports/presence`;
  const till = await connectedPeer(overWebSocket, { credentials: cast.till, will: envelope(report, 'gone') });
  await till.link.publish(envelope(report, 'here'));
  expect(await server.next()).toBe(`${report} here`);
  till.link.drop();
  expect(await server.next()).toBe(`${report} gone`);
  await server.link.close();
  await broker.close();
  await closed(http);
});

test('WebSocket: refuses an upgrade at another path or to another protocol', async () => {
  const { broker, http, port } = await world();
  expect(await upgrade(port, '/elsewhere', 'mqtt')).toBe(404);
  expect(await upgrade(port, '/mqtt', 'chat')).toBe(400);
  expect(await upgrade(port, '/mqtt?x=1', 'chat, mqtt')).toBe(101);
  await broker.close();
  await closed(http);
});

test('WebSocket: the HTTP server can close once its WebSockets are closed', async () => {
  const { broker, cast, http, log, port, stop } = await world();
  const clock = new SystemClock();
  const overWebSocket = mqttConnector({
    url: `ws://127.0.0.1:${port}/mqtt`,
    clock,
    random: systemRandom,
    log,
  });
  const till = await connectedPeer(overWebSocket, { credentials: cast.till });
  stop();
  await closed(http);
  await waitUntil('the till to notice', () => !till.link.online);
  till.link.drop();
  await broker.close();
});
