import { once } from 'node:events';
import { createServer } from 'node:net';

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

async function isFree(port: number): Promise<boolean> {
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
