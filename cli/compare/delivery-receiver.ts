import { createServer } from 'node:http';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { SIGNATURE_HEADER } from '../../server/platform/outbox/signature.ts';
import { listenOn } from '../../server/platform/listen.ts';

/** A delivery of a webhook, as it arrived. */
export interface ReceivedDelivery {
  body: Buffer;
  signature: string;
  isJson: boolean;
}

/** Receives the deliveries of both servers, at two paths of one port. */
export interface DeliveryReceiver {
  /** Address on this machine. */
  url: string;
  /** Returns what has arrived at a path. */
  at(path: string): readonly ReceivedDelivery[];
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1024 * 1024;
const DELIVERIES_MAX = 1_000;
const LOOPBACK = '127.0.0.1';

/** Starts to receive on a port of this machine. @throws Fault `bad_setting` when the port is taken */
export async function startDeliveryReceiver(port: number): Promise<DeliveryReceiver> {
  const received = new Map<string, ReceivedDelivery[]>();
  const http = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > BODY_BYTES_MAX) request.destroy();
      else chunks.push(chunk);
    });
    request.on('error', () => reply.destroy());
    request.on('end', () => {
      const path = request.url!.replace(/\?.*$/s, '').replace(/^.*\//s, '');
      const earlier = received.get(path) ?? [];
      const signature = request.headers[SIGNATURE_HEADER.toLowerCase()];
      const isJson = (request.headers['content-type'] ?? '').startsWith('application/json');
      const one = { body: Buffer.concat(chunks), signature: String(signature ?? ''), isJson };
      received.set(path, [...earlier, one].slice(-DELIVERIES_MAX));
      reply.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  try {
    const address = await listenOn(http, { host: LOOPBACK, port });
    return {
      url: `http://${LOOPBACK}:${address.port}`,
      at: (path) => received.get(path) ?? [],
      close: () =>
        new Promise((resolve) => {
          http.close(() => resolve());
          http.closeAllConnections();
        }),
    };
  } catch (thrown) {
    throw new Fault('bad_setting', `--receiver-port ${port}: ${messageOf(thrown)}`, { cause: thrown });
  }
}
