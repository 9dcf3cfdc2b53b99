import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AclFile } from '../../../server/platform/broker/external-broker.ts';
import { freePort } from '../../kit/free-port.ts';
import { runBroker, temporaryFiles, type ChildBroker } from './child-broker.ts';

/** Runs nats-server with the file of `brokerAcl('nats', …)` on free ports of the loopback. */
export async function startNats(files: AclFile[]): Promise<ChildBroker> {
  const { directory, remove } = temporaryFiles(files);
  const port = await freePort();
  const settings = [
    'server_name: tapbench',
    'listen: "127.0.0.1:-1"',
    'jetstream { store_dir: "./jetstream" }',
    `mqtt { listen: "127.0.0.1:${port}" }`,
    ...files.map(({ filename }) => `include "./${filename}"`),
  ];
  writeFileSync(join(directory, 'main.conf'), settings.join('\n'));
  const broker = await runBroker('nats-server', ['-c', 'main.conf'], { cwd: directory, port });
  return {
    ...broker,
    stop: () => broker.stop().finally(remove),
  };
}
