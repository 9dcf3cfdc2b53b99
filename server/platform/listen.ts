import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/**
 * Listens on a TCP port, and returns the address that was taken.
 * @param where `port` 0 takes a free one; `backlog` is the number of connections that may wait to be accepted
 * @throws the error of the system, such as `EADDRINUSE`
 */
export async function listenOn(
  server: Server,
  where: { host: string; port: number; backlog?: number },
): Promise<AddressInfo> {
  server.listen(where);
  // Rejects when the server emits an error in its place.
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP port');
  return address;
}
