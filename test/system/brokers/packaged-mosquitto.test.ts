import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SystemClock } from '../../../protocol/clock.ts';
import { systemRandom } from '../../../protocol/ids.ts';
import { mqttConnector } from '../../../protocol/mqtt-link.ts';
import { userNamed } from '../../../protocol/system/system-user.ts';
import { freePort } from '../../kit/free-port.ts';
import { connectedPeer, readableLog, waitUntil } from '../../contract/peer.ts';
import { ownFolder } from './mosquitto-server.ts';
import { listening, replaced } from '../browser/proxies.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

/** Returns the addresses that a process listens on, each as address:port in hexadecimal, by its sockets. */
function listeners(pid: number): string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map(
      (fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1],
    ),
  );
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode))
      .map(([, address]) => address!),
  );
}

test("mosquitto: Debian's configuration with the files of broker-acl opens one listener, as the user of the package", async () => {
  const dataDir = fixture.folder();
  const env = { DATA_DIR: dataDir };
  const server = await fixture.tapbench({ dataDir });
  const { username, password } = (await server.api('POST', `/pairing/terminals/${server.terminals[0]!.id}`))
    .body;
  const [etc, lib, port] = [fixture.folder(), fixture.folder(), await freePort()];
  const owner = ownFolder(etc);
  ownFolder(lib);
  const wrote = await fixture.run(
    ['broker-acl', 'mosquitto', '--out', etc, '--listen', `127.0.0.1:${port}`, ...owner],
    { env },
  );
  expect(wrote).toMatchObject({ code: 0, stdout: '' });
  const { uid } = owner.length > 0 ? userNamed('mosquitto') : { uid: process.getuid!() };
  for (const name of readdirSync(etc)) {
    const { mode, uid: ownedBy } = statSync(join(etc, name));
    expect([name, mode & 0o777, ownedBy]).toEqual([name, 0o600, uid]);
  }

  const main = replaced(readFileSync('/etc/mosquitto/mosquitto.conf', 'utf8'), {
    '/run/mosquitto': lib,
    '/var/lib/mosquitto': lib,
    '/var/log/mosquitto': lib,
    '/etc/mosquitto/conf.d': etc,
  });
  const settings = join(fixture.folder(), 'mosquitto.conf');
  writeFileSync(settings, main);
  const mosquitto = fixture.program('/usr/sbin/mosquitto', ['-c', settings]);
  await waitFor('mosquitto to listen', () => listening(port));
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  expect(listeners(mosquitto.pid)).toEqual([`0100007F:${hexPort}`]);
  expect(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${mosquitto.pid}/status`, 'utf8'))![1]).toBe(String(uid));

  // It has read its passwords, and knows a client by its user name: the second connection ends the first.
  const { log } = readableLog();
  const connect = mqttConnector({
    url: `mqtt://127.0.0.1:${port}`,
    clock: new SystemClock(),
    random: systemRandom,
    log,
    firstReconnectMs: 60_000,
    maxReconnectMs: 60_000,
  });
  const first = await connectedPeer(connect, { credentials: { clientId: username, username, password } });
  const second = await connectedPeer(connect, { credentials: { clientId: 'another', username, password } });
  await waitUntil('the first one to be disconnected', () => first.history.includes('offline'));
  await Promise.all([first.link.close(), second.link.close()]);
  expect((await mosquitto.kill('SIGTERM')).code).toBe(0);
});

test('broker-acl: refuses an owner who does not exist', async () => {
  const { code, stderr } = await fixture.run(
    ['broker-acl', 'mosquitto', '--out', fixture.folder(), '--owner', 'no-such-user'],
    {
      env: { DATA_DIR: fixture.folder(), PAIRING_SECRET: 'x'.repeat(32) },
    },
  );
  expect([code, stderr]).toEqual([1, "tapbench: this system has no user 'no-such-user'\n"]);
});
