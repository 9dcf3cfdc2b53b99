import { createConnection, type Socket } from 'node:net';
import { Fault } from '../../protocol/failures.ts';
import type { BytePort, OpenPort } from './byte-port.ts';

/** Prefix of the paths of terminals in the network. */
export const TCP_PREFIX = 'tcp://';

const PROTOCOLS = ['tcp:', 'tls:'];

/** How terminals of one protocol are reached in the network. */
export interface TcpSettings {
  /** Default TCP port. */
  port: number;
  /** What the device must be set to, for the advice when it does not answer. */
  setTo: string;
}

/**
 * Returns a function that opens a TCP connection to a device. It ignores line settings, and throws Fault `reader`
 * when the connection fails.
 * @param path `tcp://host:port`
 * @throws Fault `bad_setting` at once for an invalid path.
 */
export function openTcpPort(path: string, settings: TcpSettings): OpenPort {
  const { host, port } = readAddress(path, settings.port);
  return () =>
    new Promise<BytePort>((resolve, reject) => {
      const socket = createConnection({ host, port, noDelay: true });
      const failed = (error: Error) => {
        const advice = `is the device on, in this network, and set to ${settings.setTo}?`;
        reject(new Fault('reader', `${path} does not open: ${error.message}; ${advice}`, { cause: error }));
      };
      socket.once('error', failed);
      socket.once('connect', () => {
        socket.off('error', failed);
        resolve(portOf(path, socket));
      });
    });
}

/**
 * Returns host and port of an address.
 * @throws Fault `bad_setting` for an invalid one.
 */
export function readAddress(path: string, defaultPort: number): { host: string; port: number } {
  const url = URL.canParse(path) ? new URL(path) : undefined;
  if (!url || !PROTOCOLS.includes(url.protocol) || url.hostname === '') {
    throw new Fault('bad_setting', `'${path.slice(0, 80)}' is not an address like tcp://192.168.1.20:20007`);
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: url.port === '' ? defaultPort : Number(url.port) };
}

/** Returns the port of a socket that is connected. */
export function portOf(path: string, socket: Socket): BytePort {
  const listeners: ((reason: string) => void)[] = [];
  let reason = 'the terminal closed the connection';
  let ended = false;
  socket.on('error', (error) => (reason = error.message));
  // Close our half too when the terminal closes its half.
  socket.on('end', () => socket.destroy());
  socket.once('close', () => {
    ended = true;
    for (const listener of listeners) listener(reason);
  });
  // Bytes stay in the socket until there is a listener.
  socket.pause();
  const { remoteAddress = '' } = socket;
  return {
    path,
    isLocal: /^(::ffff:)?127\.|^::1$/.test(remoteAddress),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(new Fault('reader', `${path}: ${reason}`));
        socket.write(bytes, (error) =>
          error ? reject(new Fault('reader', `${path}: ${error.message}`, { cause: error })) : resolve(),
        );
      }),
    onData(listener) {
      socket.on('data', (chunk: Buffer) => listener(new Uint8Array(chunk)));
      socket.resume();
    },
    onClose: (listener) => void listeners.push(listener),
    async close() {
      if (ended) return;
      reason = 'closed';
      const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.destroy();
      await gone;
    },
  };
}
