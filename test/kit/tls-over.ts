import { once } from 'node:events';
import { connect } from 'node:tls';
import type { BytePort } from '../../agent/readers/byte-port.ts';
import { portStream, streamPort } from '../../simulator/twins/device-port.ts';

/** Encrypts a connection of this process with TLS. Resolves after the handshake with the device at its other end. */
export async function tlsOver(port: BytePort): Promise<BytePort> {
  const socket = connect({ socket: portStream(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return { ...port, ...streamPort(port.path, socket) };
}
