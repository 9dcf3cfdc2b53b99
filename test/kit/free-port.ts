import { once } from 'node:events';
import { createServer } from 'node:net';
import { isFree } from '../../testing/hunt/command/shop-process.ts';

// Between the ports of shops that are hunted and those that systems give to connections and to programs that ask for any
// port: none of these takes a port before the program listens on it, or while the program is restarted.
const FIRST = 30_240;
const COUNT = 2_528;

let next = process.pid;

/** Returns a port on 127.0.0.1 that is free now and that no other process of tests gets, for a program that listens on it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT);
    if ((await isFree(port)) && (await claim(port))) return port;
  }
}

/**
 * Claims a port until this process ends; returns false when another process has claimed it. The claim is a local socket with
 * the number in its name, in a namespace of Linux without files. Elsewhere nothing is claimed.
 */
async function claim(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const server = createServer().unref();
  server.listen({ path: `\0tapbench-test-port-${port}` });
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  }
}
