import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SystemClock } from '../../protocol/clock.ts';
import { systemRandom } from '../../protocol/ids.ts';
import { silentLog } from '../../protocol/log.ts';
import { mqttConnector } from '../../protocol/mqtt-link.ts';
import { createBroker } from '../../server/broker/broker.ts';
import { makeCast } from '../contract/cast.ts';
import { envelope, joined, peer, readableLog, until } from '../contract/peer.ts';
import { scratch } from './child-broker.ts';

/** A certificate for the loopback that signs itself. */
function makeCertificate(): { cert: string; key: string } {
  const { directory, remove } = scratch([]);
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(directory, name)) as [string, string];
  const subject = ['-subj', '/CN=tapbench', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-out', cert, '-keyout', key], {
    stdio: 'ignore',
  });
  const made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  remove();
  return made;
}

test('with a certificate the port speaks TLS, and a terminal that does not trust it stays away', async () => {
  const { till } = makeCast();
  const tls = makeCertificate();
  const broker = await createBroker({
    log: silentLog,
    authenticate: async (username) => ({ kind: 'terminal', terminalId: username }),
  });
  const { port } = await broker.listen({ host: '127.0.0.1', port: 0, tls });
  const { log, lines } = readableLog();
  const parts = { url: `mqtts://127.0.0.1:${port}`, clock: new SystemClock(), random: systemRandom, log };
  const trusting = await joined(mqttConnector({ ...parts, ca: tls.cert }), { credentials: till });
  await trusting.link.publish(envelope(`tapbench/terminals/${till.username}/reports/presence`, 'here'));
  const wary = peer(mqttConnector(parts), { credentials: { ...till, clientId: 'wary' } });
  await until('the refusal', () => lines.some(({ reason }) => reason?.includes('certificate')));
  expect(wary.history).toEqual([]);
  wary.link.drop();
  await trusting.link.close();
  await broker.close();
});
