import { writeFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type { AclFile } from '../../../server/platform/broker/external-broker.ts';
import { freePort } from '../../kit/free-port.ts';
import { waitFor } from '../kit/wait-for.ts';
import { runBroker, temporaryFiles, type ChildBroker } from './child-broker.ts';

const NODES = 3;

interface NatsCluster {
  /** URL of the load balancer before its nodes. */
  url: string;
  reload(files: AclFile[]): void;
  /** Kills one node, which cuts its connections; new ones go to the others. */
  killNode(node: number): Promise<void>;
  /** Starts a node again that was killed. */
  startNode(node: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs three nodes of nats-server as one cluster, whose sessions and messages are on all three, behind a load balancer that
 * takes the nodes in turn and leaves out those that refuse a connection.
 */
export async function startNatsCluster(files: AclFile[]): Promise<NatsCluster> {
  const { directory, remove } = temporaryFiles(files);
  const names = Array.from({ length: NODES }, (_, index) => `node-${index}`);
  const ports = await Promise.all(
    names.map(async () => ({ mqtt: await freePort(), route: await freePort(), http: await freePort() })),
  );
  const routes = ports.map(({ route }) => `nats-route://127.0.0.1:${route}`);
  for (const [index, name] of names.entries()) {
    const { mqtt, route, http } = ports[index]!;
    const settings = [
      `server_name: ${name}`,
      'listen: "127.0.0.1:-1"',
      `http: "127.0.0.1:${http}"`,
      `jetstream { store_dir: "./${name}" }`,
      `cluster { name: tapbench, listen: "127.0.0.1:${route}", routes: ${JSON.stringify(routes)} }`,
      `mqtt { listen: "127.0.0.1:${mqtt}", stream_replicas: ${NODES} }`,
      ...files.map(({ filename }) => `include "./${filename}"`),
    ];
    writeFileSync(join(directory, `${name}.conf`), settings.join('\n'));
  }
  const run = (index: number) =>
    runBroker('nats-server', ['-c', `${names[index]}.conf`], { cwd: directory, port: ports[index]!.mqtt });
  const nodes: ChildBroker[] = await Promise.all(names.map((_, index) => run(index)));
  await Promise.all(ports.map(({ http }) => healthy(http)));
  const balancer = await startBalancer(ports.map(({ mqtt }) => mqtt));
  return {
    url: balancer.url,
    reload(others) {
      for (const { filename, text } of others) writeFileSync(join(directory, filename), text);
      for (const node of nodes) node.sighup();
    },
    killNode: (index) => nodes[index]!.kill(),
    async startNode(index) {
      nodes[index] = await run(index);
    },
    async stop() {
      balancer.close();
      await Promise.all(nodes.map((node) => node.stop()));
      remove();
    },
  };
}

/** Resolves when a node and its JetStream are ready, which is once the nodes have chosen a leader. */
async function healthy(port: number): Promise<void> {
  await waitFor('the nodes to form a cluster', async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/healthz`);
    return reply.ok;
  });
}

/** Passes TCP connections on to ports of the loopback, each to the next one that accepts it. */
async function startBalancer(ports: readonly number[]): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  let next = 0;
  const server = createServer((client) => {
    sockets.add(client);
    client.once('close', () => sockets.delete(client));
    client.on('error', () => client.destroy());
    client.setNoDelay(true);
    pass(client, next++, ports.length);
  });
  const pass = (client: Socket, turn: number, tries: number) => {
    if (tries === 0) return void client.destroy();
    const node = connect({ port: ports[turn % ports.length]!, host: '127.0.0.1', noDelay: true });
    const refused = () => pass(client, turn + 1, tries - 1);
    node.once('error', refused);
    node.once('connect', () => {
      node.off('error', refused);
      node.on('error', () => node.destroy());
      node.once('close', () => client.destroy());
      client.once('close', () => node.destroy());
      client.pipe(node).pipe(client);
    });
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
