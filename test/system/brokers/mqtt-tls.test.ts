import { expect, test } from 'vitest';
import { SystemClock } from '../../../protocol/clock.ts';
import { systemRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { mqttConnector } from '../../../protocol/mqtt-link.ts';
import { createBroker } from '../../../server/platform/broker/broker.ts';
import { makeBrokerUsers } from '../../contract/broker-users.ts';
import { envelope, connectedPeer, peer, readableLog, waitUntil } from '../../contract/peer.ts';
import { makeCertificate } from '../kit/certificate.ts';

test('MQTT: with a certificate the port speaks TLS, and a terminal that does not trust it does not connect', async () => {
  const { till } = makeBrokerUsers();
  const tls = makeCertificate();
  const broker = await createBroker({
    log: silentLog,
    authenticate: async (username) => ({ kind: 'terminal', terminalId: username }),
  });
  const { port } = await broker.listen({ host: '127.0.0.1', port: 0, tls });
  const { log, lines } = readableLog();
  const parts = { url: `mqtts://127.0.0.1:${port}`, clock: new SystemClock(), random: systemRandom, log };
  const trusting = await connectedPeer(mqttConnector({ ...parts, ca: tls.cert }), { credentials: till });
  await trusting.link.publish(envelope(`tapbench/terminals/${till.username}/reports/presence`, 'here'));
  const wary = peer(mqttConnector(parts), { credentials: { ...till, clientId: 'wary' } });
  await waitUntil('the refusal', () => lines.some(({ reason }) => reason?.includes('certificate')));
  expect(wary.history).toEqual([]);
  wary.link.drop();
  await trusting.link.close();
  await broker.close();
});
