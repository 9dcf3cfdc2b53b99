import { expect, onTestFinished, test } from 'vitest';
import { systemRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { mqttConnector } from '../../../protocol/mqtt-link.ts';
import { SERVER_FILTERS } from '../../../protocol/topics.ts';
import { makeBrokerUsers } from '../../contract/broker-users.ts';
import { connectedPeer, envelope } from '../../contract/peer.ts';
import { realTime } from '../kit/wait-for.ts';
import { startAdmittingBroker } from '../stores/external-engines.ts';

const ROUNDS = 20;
const MESSAGES = 100;

test('round trip: after one of the sender and one of the receiver, all that was sent at a mosquitto has arrived', async () => {
  const { server: credentials, till } = makeBrokerUsers();
  const broker = await startAdmittingBroker(credentials);
  onTestFinished(() => broker.stop());
  await broker.admit(till);
  const connect = mqttConnector({ url: broker.url, clock: realTime, random: systemRandom, log: silentLog });
  const server = await connectedPeer(connect, { credentials, subscriptions: SERVER_FILTERS });
  const terminal = await connectedPeer(connect, { credentials: till });
  onTestFinished(async () => {
    await Promise.all([server.link.close(), terminal.link.close()]);
  });
  const topic = `tapbench/terminals/${till.clientId}/reports/presence`;
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (let sent = 0; sent < MESSAGES; sent += 1) void terminal.link.publish(envelope(topic, String(sent)));
    await terminal.link.roundTrip!();
    await server.link.roundTrip!();
    expect(server.received).toHaveLength(round * MESSAGES);
  }
});

test('round trip: of a link that is offline, or goes offline, it ends', async () => {
  const { server: credentials } = makeBrokerUsers();
  const broker = await startAdmittingBroker(credentials);
  const connect = mqttConnector({ url: broker.url, clock: realTime, random: systemRandom, log: silentLog });
  const { link } = await connectedPeer(connect, { credentials });
  const trip = link.roundTrip!();
  link.drop();
  await trip;
  await link.roundTrip!();
  expect(link.online).toBe(false);
  await broker.stop();
});
