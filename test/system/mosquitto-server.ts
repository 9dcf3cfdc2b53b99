import type { AclFile } from '../../server/platform/broker/external-broker.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../kit/free-port.ts';
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
  const settings = files.find(({ filename }) => filename.endsWith('.conf'))!.text;
  // Started by root, mosquitto would become another user, who may not read the files.
  const own = `listener ${port} 127.0.0.1\nuser root\n`;
  writeFileSync(join(directory, 'main.conf'), own + settings);
  const run = () => runBroker('mosquitto', ['-c', 'main.conf'], { cwd: directory, port });
  let broker = await run();
  return {
    url: broker.url,
    sighup: () => broker.sighup(),
    reload(others) {
      for (const { filename, text } of others) writeFileSync(join(directory, filename), text);
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
