import { SystemClock } from '../../protocol/clock.ts';
import { systemRandom } from '../../protocol/ids.ts';
import { mqttConnector } from '../../protocol/mqtt-link.ts';
import { brokerAcl, type AclFile, type ExternalBroker } from '../../server/broker/external-broker.ts';
import { principalNamed } from '../../server/broker/terminal-credentials.ts';
import { brokerContract, clientIdContract, type BrokerUnderTest } from '../contract/broker.contract.ts';
import { makeCast } from '../contract/cast.ts';
import { readableLog } from '../contract/peer.ts';
import type { ChildBroker } from './child-broker.ts';
import { startMosquitto } from './mosquitto-server.ts';
import { startNats } from './nats-server.ts';

async function underTest(
  kind: ExternalBroker,
  start: (files: AclFile[]) => Promise<ChildBroker>,
): Promise<BrokerUnderTest> {
  const cast = makeCast();
  const users = Object.values(cast).map(({ username, password }) => ({
    username,
    password,
    principal: principalNamed(username)!,
  }));
  const { url, stop } = await start(brokerAcl(kind, { users, random: systemRandom }));
  const { log, lines } = readableLog();
  const connect = mqttConnector({ url, clock: new SystemClock(), random: systemRandom, log });
  return { cast, connect, lines, stop };
}

brokerContract('mosquitto', () => underTest('mosquitto', startMosquitto));
clientIdContract('mosquitto', () => underTest('mosquitto', startMosquitto));
brokerContract('nats-server', () => underTest('nats', startNats));
