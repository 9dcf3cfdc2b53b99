import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect as connectTcp, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { SystemClock } from '../../../../protocol/clock.ts';
import { systemRandom } from '../../../../protocol/ids.ts';
import { mqttConnector } from '../../../../protocol/mqtt-link.ts';
import { commandFilter, DENIED_FILTER, SERVER_FILTERS } from '../../../../protocol/topics.ts';
import { envelope, connectedPeer, peer, waitUntil } from '../../../contract/peer.ts';
import { embeddedBroker } from './embedded-broker.ts';
import { header, packets, rawClient } from './raw-client.ts';

const CONNACK_ACCEPTED = '20020000';
const CONNACK_ID_REJECTED = '20020002';
const CONNACK_UNAVAILABLE = '20020003';
const CONNACK_BAD_PASSWORD = '20020004';

test('broker: a denied publish at QoS 1 is acknowledged and discarded, and later ones are delivered', async () => {
  const { broker, cast, connect } = await embeddedBroker();
  const server = await connectedPeer(connect, {
    credentials: cast.server,
    subscriptions: [...SERVER_FILTERS, DENIED_FILTER],
  });
  const till = rawClient(broker.openStream());
  till.send(packets.connect({ ...cast.till, clean: false }));
  await till.answer(CONNACK_ACCEPTED);
  till.send(
    packets.publish(1, `tapbench/terminals/${cast.kiosk.username}/reports/presence`, 'not mine', true),
  );
  till.send(packets.publish(2, `tapbench/terminals/${cast.till.username}/reports/presence`, 'mine'));
  await till.answer('4002000140020002');
  expect(await server.next()).toBe(
    `$denied/${cast.till.username}/tapbench/terminals/${cast.kiosk.username}/reports/presence not mine`,
  );
  expect(await server.next()).toContain('mine');
  await server.link.close();
  await broker.close();
});

test('broker: a last will to a foreign topic is discarded, and not retained', async () => {
  const { broker, cast, connect } = await embeddedBroker();
  const plan = { credentials: cast.server, subscriptions: [...SERVER_FILTERS, DENIED_FILTER] };
  const server = await connectedPeer(connect, plan);
  for (const topic of [
    `tapbench/terminals/${cast.kiosk.username}/reports/presence`,
    'a/#/+',
    '/'.repeat(300),
  ]) {
    const stream = broker.openStream();
    const till = rawClient(stream);
    till.send(packets.connect({ ...cast.till, will: { topic, payload: 'spoken from the grave' } }));
    await till.answer(CONNACK_ACCEPTED);
    stream.destroy();
    expect(await server.next()).toMatch(/^\$denied\/.* spoken from the grave$/);
  }
  await server.link.close();
  const later = await connectedPeer(connect, plan);
  await later.link.close();
  expect(later.received).toEqual([]);
  await broker.close();
});

test('broker: a subscription to a foreign topic fails, beside one that is granted', async () => {
  const { broker, cast } = await embeddedBroker();
  const till = rawClient(broker.openStream());
  till.send(packets.connect(cast.till));
  await till.answer(CONNACK_ACCEPTED);
  till.send(packets.subscribe(7, '#', commandFilter('terminals', cast.till.username), '$SYS/#'));
  await till.answer('90050007800180');
  await broker.close();
});

test('broker: bad credentials are refused with a reason, and the connection is closed', async () => {
  const { broker, cast } = await embeddedBroker();
  for (const client of [
    { ...cast.till, password: cast.kiosk.password },
    { clientId: 'nobody' },
    { ...cast.server, password: '' },
    { ...cast.till, username: '' },
  ]) {
    const stranger = rawClient(broker.openStream());
    stranger.send(packets.connect(client));
    await stranger.answer(CONNACK_BAD_PASSWORD);
    await stranger.ended();
  }
  await broker.close();
});

test('broker: when credentials cannot be checked the client is asked to try later', async () => {
  const { createBroker } = await import('../../../../server/platform/broker/broker.ts');
  const { log, cast } = await embeddedBroker();
  const broker = await createBroker({
    log,
    authenticate: () => Promise.reject(new Error('the store is away')),
  });
  const till = rawClient(broker.openStream());
  till.send(packets.connect(cast.till));
  await till.answer(CONNACK_UNAVAILABLE);
  await broker.close();
});

test('broker: a client id other than the user name is refused and logged, so that no terminal displaces another', async () => {
  const { broker, cast, connect, lines } = await embeddedBroker();
  for (const clientId of [cast.till.clientId, `${cast.kiosk.username}-2`, 'world', '']) {
    const thief = rawClient(broker.openStream());
    thief.send(packets.connect({ ...cast.kiosk, clientId }));
    await thief.answer(CONNACK_ID_REJECTED);
    await thief.ended();
  }
  expect(lines).toContainEqual(
    expect.objectContaining({
      username: cast.kiosk.username,
      clientId: cast.till.clientId,
      msg: 'connection refused: the MQTT client id must be the same as the user name',
    }),
  );
  const till = await connectedPeer(connect, { credentials: cast.till });
  const simulator = rawClient(broker.openStream());
  simulator.send(packets.connect({ ...cast.simulator, clientId: cast.till.clientId }));
  await simulator.answer(CONNACK_ID_REJECTED);
  expect(till.history).toEqual(['online']);
  await till.link.close();
  await broker.close();
});

test('broker: its log has no card number from a name that a client chose', async () => {
  const { broker, cast, lines } = await embeddedBroker();
  const pan = '4929939187355598';
  const stranger = rawClient(broker.openStream());
  stranger.send(packets.connect({ clientId: pan, username: pan, password: pan }));
  await stranger.answer(CONNACK_BAD_PASSWORD);
  const thief = rawClient(broker.openStream());
  thief.send(packets.connect({ ...cast.kiosk, clientId: pan }));
  await thief.answer(CONNACK_ID_REJECTED);
  const till = rawClient(broker.openStream());
  till.send(packets.connect(cast.till));
  await till.answer(CONNACK_ACCEPTED);
  till.send(packets.subscribe(7, `tapbench/${pan}`));
  till.send(packets.publish(8, `tapbench/terminals/${cast.till.username}/reports/${pan}`, ''));
  await till.answer('900300078040020008');
  const messages = lines.map(({ msg }) => msg);
  expect(messages).toEqual(expect.arrayContaining(['publish denied', 'subscription denied']));
  expect(JSON.stringify(lines)).toContain('************5598');
  expect(JSON.stringify(lines)).not.toContain(pan);
  await broker.close();
});

test('broker: a client that reconnects again and again is registered once', async () => {
  const { broker, cast, connect } = await embeddedBroker();
  const server = await connectedPeer(connect, { credentials: cast.server });
  const till = await connectedPeer(connect, {
    credentials: cast.till,
    subscriptions: [commandFilter('terminals', cast.till.username)],
  });
  for (let round = 0; round < 50; round++) {
    till.link.drop();
    till.link.open();
    await waitUntil('the till to be back', () => till.link.online);
  }
  const command = `tapbench/terminals/${cast.till.username}/commands/action-cancel`;
  await server.link.publish(envelope(command, 'once'));
  expect(await till.next()).toBe(`${command} once`);
  expect(till.received).toEqual([]);
  const heir = await connectedPeer(connect, { credentials: cast.till });
  await waitUntil('the former connection to be cut', () => !till.link.online);
  await Promise.all([till.link.close(), heir.link.close(), server.link.close()]);
  await broker.close();
});

test('broker: a terminal whose pairing is revoked is disconnected at once, and its will published', async () => {
  const { broker, cast, connect } = await embeddedBroker();
  const server = await connectedPeer(connect, { credentials: cast.server, subscriptions: SERVER_FILTERS });
  const will = envelope(`tapbench/terminals/${cast.till.username}/reports/presence`, 'gone');
  const till = await connectedPeer(connect, { credentials: cast.till, will });
  const kiosk = await connectedPeer(connect, { credentials: cast.kiosk });
  broker.disconnect(cast.till.username);
  expect(await server.next()).toContain('gone');
  await waitUntil('the till to notice', () => till.history.includes('offline'));
  expect(kiosk.history).toEqual(['online']);
  await Promise.all([till, kiosk, server].map(({ link }) => link.close()));
  await broker.close();
});

test('broker: a packet over the limit closes the connection as soon as its length arrives', async () => {
  const { broker, cast, connect, lines } = await embeddedBroker({ limits: { packetBytes: 1_000 } });
  const kiosk = await connectedPeer(connect, { credentials: cast.kiosk });
  const till = rawClient(broker.openStream());
  till.send(packets.connect(cast.till));
  await till.answer(CONNACK_ACCEPTED);
  till.send(header(0x32, 200_000_000));
  await till.ended();
  expect(lines).toContainEqual(
    expect.objectContaining({ clientId: cast.till.clientId, bytes: 200_000_000, limit: 1_000 }),
  );
  await kiosk.link.publish(
    envelope(`tapbench/terminals/${cast.kiosk.username}/reports/presence`, 'x'.repeat(800)),
  );
  expect(kiosk.history).toEqual(['online']);
  await kiosk.link.close();
  await broker.close();
});

test('broker: invalid bytes, before or after a connection is accepted, affect no other client', async () => {
  const { broker, cast, connect } = await embeddedBroker();
  const kiosk = await connectedPeer(connect, { credentials: cast.kiosk });
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
  // A first byte of every kind of packet, with a length that fits: these reach the handlers.
  const packetLike = fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 100 }))
    .map(([first, body]) => Buffer.concat([header(first, body.length), body]));
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.oneof(bytes, packetLike), async (connectsFirst, garbage) => {
      const stream = broker.openStream();
      const client = rawClient(stream);
      if (connectsFirst) {
        client.send(packets.connect(cast.till));
        await client.answer(CONNACK_ACCEPTED);
      }
      client.send(Buffer.from(garbage));
      await kiosk.link.publish(
        envelope(`tapbench/terminals/${cast.kiosk.username}/reports/presence`, 'still here'),
      );
      stream.destroy();
    }),
    { numRuns: 500 },
  );
  expect(kiosk.history).toEqual(['online']);
  await kiosk.link.close();
  await broker.close();
});

test('broker: on both ends of a TCP connection a small packet is sent without waiting for others', async () => {
  const ends = watchSockets();
  const { broker, cast, log } = await embeddedBroker();
  const { port } = await broker.listen({ host: '127.0.0.1', port: 0 });
  const url = `mqtt://127.0.0.1:${port}`;
  const overTcp = mqttConnector({ url, clock: new SystemClock(), random: systemRandom, log });
  const till = await connectedPeer(overTcp, { credentials: cast.till });
  const ours = ends.filter(({ localPort, remotePort }) => [localPort, remotePort].includes(port));
  expect(ours.map(hasNoDelay)).toEqual([true, true]);
  await till.link.close();
  await broker.close();
});

/** Returns the list of TCP sockets that this process opens until the test ends, on either side. */
function watchSockets(): Socket[] {
  const sockets: Socket[] = [];
  const add = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
  for (const channel of ['net.client.socket', 'net.server.socket']) {
    subscribe(channel, add);
    onTestFinished(() => void unsubscribe(channel, add));
  }
  return sockets;
}

/** Whether Nagle's algorithm is off: Node has no public way to read TCP_NODELAY. */
function hasNoDelay(socket: Socket): boolean {
  const flag = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'kSetNoDelay');
  return flag !== undefined && (socket as unknown as Record<symbol, boolean>)[flag] === true;
}

test('broker: a terminal counts as connected to its sandbox when it connects from another program', async () => {
  const { broker, cast, connect, log } = await embeddedBroker();
  const { port } = await broker.listen({ host: '127.0.0.1', port: 0 });
  const url = `mqtt://127.0.0.1:${port}`;
  const overTcp = mqttConnector({ url, clock: new SystemClock(), random: systemRandom, log });
  const inside = await connectedPeer(connect, { credentials: cast.kiosk });
  expect(broker.isConnected('default')).toBe(false);
  const outside = await connectedPeer(overTcp, { credentials: cast.till });
  expect([broker.isConnected('default'), broker.isConnected('other')]).toEqual([true, false]);
  await Promise.all([inside.link.close(), outside.link.close()]);
  await broker.close();
});

test('broker: throws a fault that names the setting when the port is taken', async () => {
  const { broker } = await embeddedBroker();
  const { port } = await broker.listen({ host: '127.0.0.1', port: 0 });
  await expect(broker.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining('MQTT_PORT') as string,
  });
  await expect(broker.listen({ host: '192.0.2.1', port: 0 })).rejects.toMatchObject({ code: 'bad_setting' });
  await expect(
    broker.listen({ host: '127.0.0.1', port: 0, tls: { cert: 'not a certificate', key: '' } }),
  ).rejects.toMatchObject({ code: 'bad_setting' });
  await broker.close();
});

test('broker: close ends every connection, also those that sent nothing', async () => {
  const { broker, cast, connect } = await embeddedBroker();
  const { port } = await broker.listen({ host: '127.0.0.1', port: 0 });
  const silent = connectTcp(port, '127.0.0.1');
  silent.on('error', () => undefined);
  await waitUntil('the silent one to be connected', () => !silent.connecting);
  const till = peer(connect, { credentials: cast.till });
  await waitUntil('the till to be online', () => till.link.online);
  await broker.close();
  await waitUntil('both to be cut', () => silent.destroyed && till.history.includes('offline'));
  till.link.drop();
});
