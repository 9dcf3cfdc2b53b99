import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { seededRandom } from '../../protocol/ids.ts';
import { mqttConnector, type MqttOptions } from '../../protocol/mqtt-link.ts';
import { ACKNOWLEDGEMENT_CHECK_MS } from '../../protocol/unacknowledged.ts';
import { createBroker } from '../../server/platform/broker/broker.ts';
import { streamPair } from '../../server/platform/broker/broker.ts';
import { envelope, connectedPeer, peer, readableLog, waitUntil } from '../contract/peer.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';

const TILL = 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA';
const REPORT = `tapbench/terminals/${TILL}/reports/presence`;
const COMMANDS = `tapbench/terminals/${TILL}/commands/+`;
const credentials = { clientId: TILL, username: TILL, password: 'a secret of the till' };

/** A broker that lets the till in, reached over streams that a test can cut. */
async function world() {
  const { log, lines } = readableLog();
  const broker = await createBroker({
    log,
    authenticate: async (username, password) =>
      username === TILL && password === credentials.password
        ? { kind: 'terminal', terminalId: TILL }
        : undefined,
  });
  const clock = new VirtualClock(1_000_000);
  const streams: Duplex[] = [];
  const reach = { reachable: true };
  const connect = mqttConnector({
    clock,
    random: seededRandom('mqtt link'),
    log,
    openStream: () => {
      if (!reach.reachable) throw new Error('no network');
      streams.push(broker.openStream());
      return streams.at(-1)!;
    },
  });
  const plan = { credentials, subscriptions: [COMMANDS] };
  return { broker, clock, connect, lines, log, plan, reach, streams };
}

test('mqttConnector: a link reconnects after its connection was cut', async () => {
  const { broker, clock, connect, plan, streams } = await world();
  const till = await connectedPeer(connect, plan);
  streams[0]!.destroy();
  await waitUntil('the loss to be noticed', () => !till.link.online);
  await clock.advance(250);
  await waitUntil('the link to be back', () => till.link.online);
  expect(till.history).toEqual(['online', 'offline', 'online']);
  await till.link.close();
  await broker.close();
});

test('mqttConnector: retries with growing delays while the network is down', async () => {
  const { broker, clock, connect, plan, reach, streams } = await world();
  const till = await connectedPeer(connect, plan);
  reach.reachable = false;
  streams[0]!.destroy();
  await waitUntil('the loss to be noticed', () => !till.link.online);
  await clock.advance(10 * 60_000);
  expect(till.link.online).toBe(false);
  reach.reachable = true;
  await clock.advance(30_000);
  await waitUntil('the link to be back', () => till.link.online);
  await till.link.close();
  await broker.close();
});

test('mqttConnector: retries less often after the credentials were refused', async () => {
  const { broker, clock, connect, lines, plan } = await world();
  const stranger = peer(connect, { ...plan, credentials: { ...credentials, password: 'another' } });
  const refused = () => waitUntil('the refusal to be noticed', () => clock.due.length > 0);
  clock.settleWith(refused);
  await refused();
  await clock.advance(60 * 60_000);
  const knocks = lines.filter(({ msg }) => msg.includes('bad user name or password')).length;
  expect(knocks).toBeGreaterThan(60);
  expect(knocks).toBeLessThan(240);
  expect(stranger.history).toEqual([]);
  stranger.link.drop();
  await broker.close();
});

/** A broker that lets everyone in and acknowledges nothing. */
function silentBroker(options: Partial<MqttOptions> = {}) {
  const { log } = readableLog();
  const brokerEnds: Duplex[] = [];
  const clock = new VirtualClock(0);
  const connect = mqttConnector({
    clock,
    random: seededRandom('silent broker'),
    log,
    ...options,
    openStream: () => {
      const [ours, theirs] = streamPair();
      brokerEnds.push(theirs);
      return ours;
    },
  });
  const connack = Buffer.from([0x20, 2, 0, 0]);
  const answer = async (end: Duplex) => {
    await waitUntil('the first packet', () => end.readableLength > 0);
    end.read();
    end.write(connack);
  };
  return { brokerEnds, clock, connect, answer };
}

test('mqttConnector: an unacknowledged publish rejects and is not repeated', async () => {
  const { brokerEnds, clock, connect, answer } = silentBroker();
  const till = peer(connect, { credentials });
  await answer(brokerEnds[0]!);
  await waitUntil('the link to be online', () => till.link.online);
  const publishing = till.link.publish(envelope(REPORT, 'are you there'));
  await waitUntil('the publish to arrive', () => brokerEnds[0]!.readableLength > 0);
  brokerEnds[0]!.destroy();
  await expect(publishing).rejects.toMatchObject({ code: 'transport' });

  await clock.advance(250);
  await answer(brokerEnds[1]!);
  await waitUntil('the link to be back', () => till.link.online);
  const next = till.link.publish(envelope(REPORT, 'something new'));
  await waitUntil('the next publish to arrive', () => brokerEnds[1]!.readableLength > 0);
  const sent = String(brokerEnds[1]!.read());
  expect(sent).toContain('something new');
  expect(sent).not.toContain('are you there');
  till.link.drop();
  await expect(next).rejects.toMatchObject({ code: 'transport' });
});

test('mqttConnector: a link whose broker acknowledges nothing connects again', async () => {
  const { brokerEnds, clock, connect, answer } = silentBroker();
  const till = peer(connect, { credentials });
  await answer(brokerEnds[0]!);
  await waitUntil('the link to be online', () => till.link.online);
  const failed = till.link.publish(envelope(REPORT, 'are you there')).catch((error: unknown) => error);
  await clock.advance(2 * ACKNOWLEDGEMENT_CHECK_MS - 1);
  expect(till.link.online).toBe(true);
  await clock.advance(1);
  await waitUntil('the link to be offline', () => !till.link.online);
  expect(await failed).toMatchObject({ code: 'transport' });
  await clock.advance(250);
  await answer(brokerEnds[1]!);
  await waitUntil('the link to be back', () => till.link.online);
  till.link.drop();
});

const DISCONNECT = Buffer.from([0xe0, 0]);

test('mqttConnector: leaves a broker that acknowledges nothing with DISCONNECT, which discards the last will', async () => {
  const { brokerEnds, clock, connect, answer } = silentBroker();
  const till = peer(connect, { credentials });
  await answer(brokerEnds[0]!);
  await waitUntil('the link to be online', () => till.link.online);
  void till.link.publish(envelope(REPORT, 'are you there')).catch(() => undefined);
  await waitUntil('the message to arrive', () => brokerEnds[0]!.readableLength > 0);
  brokerEnds[0]!.read();
  await clock.advance(2 * ACKNOWLEDGEMENT_CHECK_MS);
  await waitUntil('the link to be offline', () => !till.link.online);
  expect(brokerEnds[0]!.read()).toEqual(DISCONNECT);
  till.link.drop();
});

test('mqttConnector: leaves a broker that refuses a subscription with DISCONNECT', async () => {
  const { brokerEnds, connect, answer } = silentBroker();
  const till = peer(connect, { credentials, subscriptions: [COMMANDS] });
  await answer(brokerEnds[0]!);
  await waitUntil('a subscription', () => brokerEnds[0]!.readableLength > 0);
  const packet = brokerEnds[0]!.read() as Buffer;
  const refused = Buffer.from([0x80]);
  brokerEnds[0]!.write(Buffer.concat([Buffer.from([0x90, 3]), packet.subarray(2, 4), refused]));
  await waitUntil('the end of the connection', () => brokerEnds[0]!.readableLength > 0);
  expect(brokerEnds[0]!.read()).toEqual(DISCONNECT);
  expect(till.history).toEqual([]);
  till.link.drop();
});

test('mqttConnector: a link that is dropped, as by a power cut, keeps its last will', async () => {
  const { brokerEnds, connect, answer } = silentBroker();
  const till = peer(connect, { credentials });
  await answer(brokerEnds[0]!);
  await waitUntil('the link to be online', () => till.link.online);
  till.link.drop();
  await waitUntil('the end of the connection', () => brokerEnds[0]!.destroyed);
  expect(brokerEnds[0]!.read()).toBeNull();
});

test('mqttConnector: a broker that acknowledges slowly keeps its connection', async () => {
  const { brokerEnds, clock, connect, answer } = silentBroker();
  const till = peer(connect, { credentials });
  await answer(brokerEnds[0]!);
  await waitUntil('the link to be online', () => till.link.online);
  for (let message = 1; message <= 4; message += 1) {
    const publishing = till.link.publish(envelope(REPORT, 'slow'));
    await waitUntil('the message to arrive', () => brokerEnds[0]!.readableLength > 0);
    const packet = brokerEnds[0]!.read() as Buffer;
    await clock.advance(ACKNOWLEDGEMENT_CHECK_MS + 1);
    // The packet id follows the topic: fixed header of two bytes, length of the topic, topic.
    const id = packet.subarray(4 + REPORT.length, 6 + REPORT.length);
    brokerEnds[0]!.write(Buffer.concat([Buffer.from([0x40, 2]), id]));
    await publishing;
  }
  expect(till.history).toEqual(['online']);
  till.link.drop();
});

test('mqttConnector: subscribes again after the times of its options', async () => {
  const { brokerEnds, clock, connect, answer } = silentBroker({ subscribeAgainAfterMs: [5_000] });
  const till = peer(connect, { credentials, subscriptions: [COMMANDS] });
  await answer(brokerEnds[0]!);
  const subscription = async () => {
    await waitUntil('a subscription', () => brokerEnds[0]!.readableLength > 0);
    const packet = brokerEnds[0]!.read() as Buffer;
    brokerEnds[0]!.write(Buffer.concat([Buffer.from([0x90, 3]), packet.subarray(2, 4), Buffer.from([1])]));
    return [packet[0], packet.toString('latin1').includes(COMMANDS)];
  };
  expect(await subscription()).toEqual([0x82, true]);
  await waitUntil('the link to be online', () => till.link.online);
  await clock.advance(5_000);
  expect(await subscription()).toEqual([0x82, true]);
  expect(till.history).toEqual(['online']);
  till.link.drop();
});

test('mqttConnector: a refused subscription keeps the link offline and is logged', async () => {
  const { broker, clock, connect, lines, plan } = await world();
  const greedy = peer(connect, { ...plan, subscriptions: [COMMANDS, '#'] });
  const refusals = () => lines.filter((line) => line.msg === 'the broker refused a subscription');
  await waitUntil('the refusal', () => refusals().length === 1);
  expect(refusals()[0]!.level).toBe(50);
  await waitUntil('the connection to end', () => clock.due.length > 0);
  await clock.advance(250);
  await waitUntil('another try', () => refusals().length === 2);
  expect(greedy.history).toEqual([]);
  greedy.link.drop();
  await broker.close();
});

test('mqttConnector: never logs the password', async () => {
  const { broker, clock, connect, lines, plan, streams } = await world();
  const till = await connectedPeer(connect, plan);
  const stranger = peer(connect, {
    credentials: { ...credentials, clientId: 'other', password: 'a wrong secret' },
  });
  await waitUntil('the refusal', () => lines.some(({ msg }) => msg.includes('bad user name or password')));
  streams[0]!.destroy();
  await waitUntil('the loss to be noticed', () => !till.link.online);
  await clock.advance(1_000);
  expect(JSON.stringify(lines)).not.toContain('secret');
  stranger.link.drop();
  till.link.drop();
  await broker.close();
});

test('mqttConnector: close before CONNACK does not hang', async () => {
  const { log } = readableLog();
  const [ours] = streamPair();
  const connect = mqttConnector({
    clock: new VirtualClock(0),
    random: seededRandom('no answer'),
    log,
    openStream: () => ours,
  });
  const till = peer(connect, { credentials });
  await till.link.close();
  expect(ours.destroyed).toBe(true);
});

test('mqttConnector: throws Fault bad_setting for a URL that is no broker URL', async () => {
  const { log } = readableLog();
  const parts = { clock: new VirtualClock(0), random: seededRandom('url'), log };
  for (const url of ['http://127.0.0.1:1883', 'localhost', '']) {
    expect(() => mqttConnector({ ...parts, url })).toThrow(expect.objectContaining({ code: 'bad_setting' }));
  }
});
