import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../kit/free-port.ts';
import { listening, replaced } from '../browser/proxies.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';
import { ownFolder } from './mosquitto-server.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');

/** Reads a file of deploy/ with addresses of this machine. */
export function configuration(file: string, changes: Record<string, string>): string {
  return replaced(readFileSync(join(DEPLOY, file), 'utf8'), changes);
}

/**
 * Runs mosquitto by deploy/mosquitto/run.sh, with the users of two servers and their terminals that `broker-acl --watch`
 * keeps up to date. Returns its host and port.
 * @param env the keys and the database of the servers
 */
export async function startWatchedMosquitto(
  fixture: SystemFixture,
  env: Record<string, string>,
): Promise<string> {
  const users = fixture.folder();
  const port = await freePort();
  const owner = ownFolder(users);
  const acl = ['broker-acl', 'mosquitto', '--instances', '2', '--out', users, '--watch'];
  fixture.command([...acl, '--listen', `127.0.0.1:${port}`, ...owner], {
    env: { DATA_DIR: fixture.folder(), ...env },
  });
  const settings = join(fixture.folder(), 'mosquitto.conf');
  writeFileSync(settings, configuration('mosquitto/mosquitto.conf', { '/data': users }));
  const runner = fixture.program('sh', [join(DEPLOY, 'mosquitto/run.sh'), settings, users]);
  // It ends mosquitto when it is asked to, not when it is killed.
  fixture.onCleanUp(async () => void (await runner.kill('SIGTERM')));
  await waitFor('mosquitto to listen', () => listening(port));
  return `127.0.0.1:${port}`;
}
