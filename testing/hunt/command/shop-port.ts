import { once } from 'node:events';
import { connect, createServer } from 'node:net';

// Below those that systems give to connections: nothing else takes the port between two processes of the shop.
const FIRST = 10_240;
const COUNT = 20_000;
// So that hunts at the same time have ports of their own.
const PORTS_OF_A_HUNT = 32;

/** Returns a port of this machine for the process of a shop: free now, and kept for later starts by nobody else taking it. */
export async function shopPort(job: number): Promise<number> {
  for (let offset = process.pid * PORTS_OF_A_HUNT + job; ; offset += PORTS_OF_A_HUNT) {
    const port = FIRST + (offset % COUNT);
    if (await isFree(port)) return port;
  }
}

/** Returns whether nothing listens on a port of 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a process of a shop listens on its port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}

/** Returns what tells whether a process listens on a port; until one does, each call looks again. */
export function watchPort(port: number): () => boolean {
  let listens = false;
  return () => {
    if (!listens) void isListening(port).then((found) => (listens ||= found));
    return listens;
  };
}
