import { isFree } from '../../testing/hunt/command/shop-port.ts';

// Between the ports of shops that are hunted and those that systems give to connections and to programs that ask for any
// port: none of these takes a port before the program listens on it, or while the program is restarted.
const FIRST = 30_240;
const COUNT = 2_528;
// So that test processes at the same time have ports of their own.
const POOLS = 16;

const pool = Number(process.env['VITEST_POOL_ID'] ?? 0) % POOLS;
let next = process.pid;

/** Returns a port on 127.0.0.1 that is free now, for a program that listens on one it is given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + ((next++ * POOLS + pool) % COUNT);
    if (await isFree(port)) return port;
  }
}
