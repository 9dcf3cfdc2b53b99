import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { messageOf } from '../../protocol/failures.ts';
import { SIGNATURE_HEADER, verifySignature } from '../../server/platform/outbox/signature.ts';
import { listenOn } from '../../server/platform/listen.ts';

/** A webhook delivery that arrived. */
export interface Delivery {
  body: string;
  /** Whether the Signature header matches the body (Spec §6.6). */
  signed: boolean;
  /** Status or error of the receiver it was forwarded to; undefined without one. */
  forwarded: string | undefined;
}

interface ReceiverParts {
  fetch: typeof fetch;
  /** Signing secret. A promise, because the webhook is registered only once this receiver has an address. */
  secret: Promise<string>;
  /** URL to which each delivery is forwarded unchanged. */
  forward?: string;
  onDelivery(delivery: Delivery): void;
}

const LOOPBACK = '127.0.0.1';
const BODY_BYTES_MAX = 1024 * 1024;

// Below the 10 s after which the server counts an attempt as failed.
const FORWARD_MS_MAX = 9_000;
const BAD_GATEWAY = 502;

/**
 * Starts a webhook receiver on a free loopback port. It replies 200, or with the status of the forwarded request.
 */
export async function startWebhookReceiver(
  parts: ReceiverParts,
): Promise<{ url: string; close(): Promise<void> }> {
  const http = createServer((request, response) => {
    take(parts, request, response).catch(() => response.destroy());
  });
  const { port } = await listenOn(http, { host: LOOPBACK, port: 0 });
  return {
    url: `http://${LOOPBACK}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

async function take(parts: ReceiverParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await bodyOf(request);
  if (!bytes || request.method !== 'POST') return void response.writeHead(bytes ? 405 : 413).end();
  const given = request.headers[SIGNATURE_HEADER.toLowerCase()];
  const signature = typeof given === 'string' ? given : '';
  const signed = verifySignature(await parts.secret, bytes, signature);
  const passed =
    parts.forward === undefined ? undefined : await forward(parts, parts.forward, bytes, request.headers);
  response.writeHead(passed?.status ?? 200).end();
  parts.onDelivery({ body: bytes.toString('utf8'), signed, forwarded: passed?.answer });
}

/** Returns the body of a request; undefined when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// Of the connection to this receiver (RFC 9110 §7.6.1), or written by the client of the next one.
const OWN_HEADERS = new Set([
  'connection',
  'host',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
]);

/**
 * Forwards the exact bytes with the headers of the delivery, so that the receiver can verify its signature. A redirect is
 * the reply: deliveries follow none.
 */
async function forward(
  { fetch }: ReceiverParts,
  url: string,
  bytes: Buffer,
  headers: IncomingHttpHeaders,
): Promise<{ status: number; answer: string }> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && !OWN_HEADERS.has(name) ? [[name, value]] : [],
      ),
      body: new Uint8Array(bytes),
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_MS_MAX),
    });
    await answer.arrayBuffer();
    return { status: answer.status, answer: String(answer.status) };
  } catch (error) {
    return { status: BAD_GATEWAY, answer: `no answer: ${reasonOf(error)}` };
  }
}

/** The reason of a failed `fetch` is in its cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return (cause instanceof Error && cause.message) || messageOf(error);
}
