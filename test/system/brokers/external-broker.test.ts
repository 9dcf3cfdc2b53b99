import { expect, onTestFinished, test } from 'vitest';
import { SystemClock } from '../../../protocol/clock.ts';
import { systemRandom } from '../../../protocol/ids.ts';
import { mqttConnector } from '../../../protocol/mqtt-link.ts';
import { SERVER_FILTERS } from '../../../protocol/topics.ts';
import {
  brokerAcl,
  type AclFile,
  type ExternalBroker,
} from '../../../server/platform/broker/external-broker.ts';
import { parsePrincipal } from '../../../server/platform/broker/terminal-credentials.ts';
import { brokerContract, clientIdContract, type BrokerUnderTest } from '../../contract/broker.contract.ts';
import { makeBrokerUsers } from '../../contract/broker-users.ts';
import { connectedPeer, readableLog, waitUntil } from '../../contract/peer.ts';
import type { ChildBroker } from './child-broker.ts';
import { startMosquitto } from './mosquitto-server.ts';
import { startNats } from './nats-server.ts';

/** More than a session of mosquitto queues by default. */
const MANY_TERMINALS = 3_000;

async function underTest(
  kind: ExternalBroker,
  start: (files: AclFile[]) => Promise<ChildBroker>,
): Promise<BrokerUnderTest> {
  const cast = makeBrokerUsers();
  const users = Object.values(cast).map(({ username, password }) => ({
    username,
    password,
    principal: parsePrincipal(username)!,
  }));
  const { url, stop } = await start(brokerAcl(kind, { users, random: systemRandom }));
  const { log, lines } = readableLog();
  const connect = mqttConnector({ url, clock: new SystemClock(), random: systemRandom, log });
  return { cast, connect, lines, stop };
}

brokerContract('mosquitto', () => underTest('mosquitto', startMosquitto));
clientIdContract('mosquitto', () => underTest('mosquitto', startMosquitto));
brokerContract('nats-server', () => underTest('nats', startNats));

test('mosquitto: disconnects a terminal removed from the files once it reloads them, and no other', async () => {
  const cast = makeBrokerUsers();
  const filesWith = (...who: (keyof typeof cast)[]) => {
    const users = who.map((each) => ({ ...cast[each], principal: parsePrincipal(cast[each].username)! }));
    return brokerAcl('mosquitto', { users, random: systemRandom });
  };
  const mosquitto = await startMosquitto(filesWith('server', 'till', 'kiosk'));
  const { log } = readableLog();
  const connect = mqttConnector({ url: mosquitto.url, clock: new SystemClock(), random: systemRandom, log });
  const till = await connectedPeer(connect, { credentials: cast.till });
  const kiosk = await connectedPeer(connect, { credentials: cast.kiosk });
  mosquitto.reload(filesWith('server', 'kiosk'));
  await waitUntil('the terminal to be cut', () => till.history.includes('offline'));
  expect(kiosk.history).toEqual(['online']);
  await Promise.all([till.link.close(), kiosk.link.close()]);
  await mosquitto.stop();
});

test('mosquitto: a server that connects receives what is retained for all of many terminals', async () => {
  const cast = makeBrokerUsers();
  const users = [cast.server, cast.till].map((user) => ({
    ...user,
    principal: parsePrincipal(user.username)!,
  }));
  // One client in place of thousands: it may publish for every terminal.
  const files = brokerAcl('mosquitto', { users, random: systemRandom }).map(({ filename, text }) => ({
    filename,
    text: filename.endsWith('.acl') ? `${text}user ${cast.till.username}\ntopic write #\n` : text,
  }));
  const mosquitto = await startMosquitto(files);
  onTestFinished(() => mosquitto.stop());
  const { log } = readableLog();
  const connect = mqttConnector({ url: mosquitto.url, clock: new SystemClock(), random: systemRandom, log });
  const terminals = await connectedPeer(connect, { credentials: cast.till });
  const topics = Array.from(
    { length: MANY_TERMINALS },
    (_, n) => `tapbench/terminals/tml_${n}/reports/presence`,
  );
  const payload = Buffer.from('{"online":true}');
  for (const topic of topics) await terminals.link.publish({ topic, payload, qos: 1, retain: true });

  const server = await connectedPeer(connect, { credentials: cast.server, subscriptions: SERVER_FILTERS });
  await waitUntil('the presence of all terminals', () => server.received.length >= topics.length);
  expect(server.received.map((line) => line.split(' ')[0]).toSorted()).toEqual(topics.toSorted());
  await Promise.all([server.link.close(), terminals.link.close()]);
});
