import { createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { errorCode, Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { listenOn } from '../listen.ts';

export interface ListenOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** PEM texts; MQTT over TLS when given. */
  tls?: { cert: string; key: string };
}

export interface Listening {
  port: number;
  /** Resolves when no connection is left: the caller cuts them. */
  stop(): Promise<void>;
}

// A fleet connects all at once. Node's 511 connections that wait to be accepted are too few for thousands: Linux drops the
// others, and their clients try again after a second. Systems shorten a longer queue to their own limit.
const BACKLOG = 4096;

/**
 * Takes TCP connections for a broker.
 * @throws Fault `port_in_use` or `bad_setting`, naming the setting that says where to listen.
 */
export async function listenForMqtt(
  options: ListenOptions,
  attach: (stream: Duplex) => void,
  log: Log,
): Promise<Listening> {
  const server = openServer(options, attach);
  const { host, port: wanted } = options;
  const listening = listenOn(server, { host, port: wanted, backlog: BACKLOG });
  const { port } = await listening.catch((error: unknown) => {
    throw listenFault(options, error);
  });
  server.on('error', (error) => log.error({ reason: messageOf(error) }, 'the MQTT port failed'));
  return { port, stop: () => new Promise((stopped) => server.close(() => stopped())) };
}

// noDelay: Nagle's algorithm holds a small packet back until the one before is acknowledged, 44 ms for a round
// trip that takes 0.3.
function openServer({ tls }: ListenOptions, attach: (stream: Duplex) => void): Server {
  if (!tls) return createServer({ noDelay: true }, attach);
  try {
    return createTlsServer({ ...tls, noDelay: true }, attach);
  } catch (error) {
    throw new Fault('bad_setting', `the TLS certificate or key cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function listenFault({ host, port }: ListenOptions, error: unknown): Fault {
  const cause = { cause: error };
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new Fault(
        'port_in_use',
        `MQTT_PORT: port ${port} is in use on ${host}: set MQTT_PORT to another port, or to 0 for a free one`,
        cause,
      );
    case 'EACCES':
      return new Fault('bad_setting', `MQTT_PORT: no permission to listen on port ${port}`, cause);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Fault('bad_setting', `HOST: this machine has no address ${host}`, cause);
    default:
      return new Fault('broker', `MQTT_PORT: cannot listen on ${host}:${port}: ${messageOf(error)}`, cause);
  }
}
