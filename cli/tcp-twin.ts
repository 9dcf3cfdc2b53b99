import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Fault } from '../protocol/failures.ts';
import { streamPort } from '../simulator/twins/stream-port.ts';
import type { Twin } from '../simulator/twins/twin.ts';
import type { PluggedTwin, PluggedTwinParts } from './plugged-twin.ts';

export interface TcpTwinParts extends Omit<PluggedTwinParts, 'open' | 'line'> {
  /** 0 for any that is free. */
  port: number;
}

/** A twin in the network of this machine. */
export interface TcpTwin extends PluggedTwin {
  /** Where it listens, `tcp://127.0.0.1:port`. */
  readonly address: string;
}

/**
 * Listens as a terminal in the network does, on the loopback address alone: it serves one connection at a time, and
 * the next waits until that ends. Messages travel bare.
 * @throws Fault `bad_setting` when the port cannot be had.
 */
export async function startTcpTwin(parts: TcpTwinParts): Promise<TcpTwin> {
  const { createTwin, log, tray } = parts;
  let device: Twin | undefined;
  let address = '';
  let waiting: Socket[] = [];
  const serve = (socket: Socket) => {
    log.debug('a cash register connected to the twin');
    const ended = () => {
      device = undefined;
      const next = waiting.shift();
      if (next) serve(next);
    };
    device = createTwin({ ...parts, port: streamPort(address, socket, ended) });
  };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', (error) => log.debug({ reason: error.message }, 'a connection to the twin broke'));
    if (!device) return serve(socket);
    waiting.push(socket);
    // One that is reset while it waits would never say again that it ended.
    socket.once('close', () => (waiting = waiting.filter((other) => other !== socket)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Fault('bad_setting', `--tcp ${parts.port} does not open: ${error.message}`));
    });
    server.listen({ host: '127.0.0.1', port: parts.port }, resolve);
  });
  address = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    tray,
    get device() {
      return device;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of waiting) socket.destroy();
      waiting = [];
      await device?.close();
      await closed;
    },
  };
}
