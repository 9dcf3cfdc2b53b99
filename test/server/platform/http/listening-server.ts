import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { locationRoutes } from '../../../../server/api/in-person/terminals/location.resource.ts';
import { smallServer, type SmallServer } from './small-server.ts';

/** A small server on a port, for what only raw bytes can show. */
export async function listening(): Promise<SmallServer & { port: number }> {
  const server = await smallServer(locationRoutes);
  await server.http.listen({ host: '127.0.0.1', port: 0 });
  return { ...server, port: (server.http.server.address() as AddressInfo).port };
}

/** What comes back until the server closes the connection. What is sent in several pieces arrives in several. */
export function exchange(port: number, ...pieces: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.setNoDelay().write(pieces[0]!, writeNext));
    let written = 0;
    const writeNext = () => {
      const piece = pieces[++written];
      if (piece !== undefined) setImmediate(() => socket.write(piece, writeNext));
    };
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => (received += text));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}
