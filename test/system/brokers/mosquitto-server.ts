import type { AclFile } from '../../../server/platform/broker/external-broker.ts';
import { chmodSync, chownSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userNamed } from '../../../protocol/system/system-user.ts';
import { freePort } from '../../kit/free-port.ts';
import { replaced } from '../browser/proxies.ts';
import { runBroker, temporaryFiles, type ChildBroker } from './child-broker.ts';

export interface Mosquitto extends ChildBroker {
  /** Replaces its users and rules; connections that they allow continue. */
  reload(files: AclFile[]): void;
  /** Ends it and starts it again on the same port: it has forgotten every session and retained message. */
  restart(): Promise<void>;
  /** Starts it again after it was killed, on the same port. */
  start(): Promise<void>;
}

/**
 * Runs mosquitto with the files of `brokerAcl('mosquitto', …)` on a port of the loopback; by default on one that is free.
 */
export async function startMosquitto(files: AclFile[], onPort?: number): Promise<Mosquitto> {
  const { directory, remove } = temporaryFiles(files);
  const port = onPort ?? (await freePort());
  const withPort = ({ filename, text }: AclFile) =>
    filename.endsWith('.conf')
      ? replaced(text, { 'listener 1883 127.0.0.1': `listener ${port} 127.0.0.1` })
      : text;
  const write = (written: AclFile[]) => {
    for (const file of written) writeFileSync(join(directory, file.filename), withPort(file));
  };
  write(files);
  // As Debian's own configuration does it.
  writeFileSync(join(directory, 'mosquitto.settings'), `log_dest stderr\ninclude_dir ${directory}\n`);
  ownFolder(directory);
  const run = () => runBroker('mosquitto', ['-c', 'mosquitto.settings'], { cwd: directory, port });
  let broker = await run();
  return {
    url: broker.url,
    sighup: () => broker.sighup(),
    reload(others) {
      write(others);
      broker.sighup();
    },
    async restart() {
      await broker.stop();
      broker = await run();
    },
    kill: () => broker.kill(),
    async start() {
      broker = await run();
    },
    stop: () => broker.stop().finally(remove),
  };
}

/**
 * Lets the user of Debian's package have a folder with its files, whom mosquitto becomes when root starts it. Returns the
 * options with which `broker-acl` writes files for that user; none where this user starts it, and it stays this one.
 */
export function ownFolder(directory: string): string[] {
  if (process.getuid!() !== 0) return [];
  const { uid, gid } = userNamed('mosquitto');
  for (const path of [directory, ...readdirSync(directory).map((name) => join(directory, name))])
    chownSync(path, uid, gid);
  chmodSync(directory, 0o700);
  return ['--owner', 'mosquitto'];
}
