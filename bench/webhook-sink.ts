import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery with its arrival time. */
interface Arrival {
  atNs: bigint;
  body: string;
  header(name: string): string | undefined;
}

export interface WebhookSink {
  url: string;
  /** Resolves with the next arrival that `matches`. */
  next(matches: (arrival: Arrival) => boolean): Promise<Arrival>;
  /** Calls `listener` with every arrival. */
  listen(listener: (arrival: Arrival) => void): void;
  close(): void;
}

/** Starts a webhook endpoint that replies 200 and records the time of arrival. */
export async function openWebhookSink(): Promise<WebhookSink> {
  const waiting = new Set<(arrival: Arrival) => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const atNs = process.hrtime.bigint();
      response.writeHead(200, { 'content-length': 0 }).end();
      const body = Buffer.concat(chunks).toString('utf8');
      const header = (name: string) => request.headers[name] as string | undefined;
      for (const take of waiting) take({ atNs, body, header });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: (matches) =>
      new Promise((resolve) => {
        const take = (arrival: Arrival) => {
          if (!matches(arrival)) return;
          waiting.delete(take);
          resolve(arrival);
        };
        waiting.add(take);
      }),
    listen: (listener) => void waiting.add(listener),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
