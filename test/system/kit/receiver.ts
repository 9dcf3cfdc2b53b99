import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './http-call.ts';
import { realTime } from './wait-for.ts';

/** A received webhook. */
export interface Delivery {
  bytes: Buffer;
  headers: IncomingHttpHeaders;
  event: Json;
  atMs: number;
}

/** A status to reply with, and a body; `hang` never replies. */
type Reply = number | 'hang' | { status: number; body: string };

/** A webhook endpoint on a free port. */
export interface Receiver {
  url: string;
  /** In the order of their arrival. */
  deliveries: Delivery[];
  /** Returns the reply to a delivery; 200 at first. */
  reply: (delivery: Delivery) => Reply | Promise<Reply>;
  types(): string[];
  close(): Promise<void>;
}

/** Opens an endpoint on a free port of the loopback. */
export async function openReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const event: Json = JSON.parse(bytes.toString('utf8'));
    const delivery = { bytes, headers: request.headers, event, atMs: realTime.nowMs() };
    deliveries.push(delivery);
    const reply = await receiver.reply(delivery);
    if (typeof reply === 'object')
      response.writeHead(reply.status, { 'content-type': 'text/plain' }).end(reply.body);
    else if (reply !== 'hang') response.writeHead(reply).end();
  };
  const server = createServer((request, response) => {
    // The server that called may be killed at any moment.
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/webhooks`,
    deliveries,
    reply: () => 200,
    types: () => deliveries.map(({ event }) => event.eventType as string),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
