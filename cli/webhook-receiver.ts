import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../protocol/failures.ts';
import { SIGNATURE_HEADER, verifySignature } from '../server/platform/outbox/signature.ts';

/** A webhook as it arrived. */
export interface Delivery {
  body: string;
  /** Whether the Signature header is the one that the secret gives for these bytes (Spec §6.6). */
  signed: boolean;
  /** What the receiver it was passed on to said; undefined without one. */
  forwarded: string | undefined;
}

export interface ReceiverParts {
  fetch: typeof fetch;
  /** The signing secret: known only once the webhook is registered at the address of this receiver. */
  secret: Promise<string>;
  /** Passes each delivery on to here, as it came. */
  forward?: string;
  onDelivery(delivery: Delivery): void;
}

const LOOPBACK = '127.0.0.1';
const BODY_BYTES_MAX = 1024 * 1024;

// The server gives an attempt 10 s; a forward that takes longer is a failure to it, so to us too.
const FORWARD_MS_MAX = 9_000;
const BAD_GATEWAY = 502;

/** Takes webhooks on a free port of this machine. Answers 200, or what the receiver behind it answers. */
export async function startWebhookReceiver(
  parts: ReceiverParts,
): Promise<{ url: string; close(): Promise<void> }> {
  const http = createServer((request, response) => {
    take(parts, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(0, LOOPBACK, resolve);
  });
  const { port } = http.address() as AddressInfo;
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
    parts.forward === undefined ? undefined : await forward(parts, parts.forward, bytes, signature);
  response.writeHead(passed?.status ?? 200).end();
  parts.onDelivery({ body: bytes.toString('utf8'), signed, forwarded: passed?.answer });
}

/** Undefined for one that is too long. */
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

/** The exact bytes go on with their signature, so that the receiver there can check it itself. */
async function forward(
  { fetch }: ReceiverParts,
  url: string,
  bytes: Buffer,
  signature: string,
): Promise<{ status: number; answer: string }> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
      body: new Uint8Array(bytes),
      signal: AbortSignal.timeout(FORWARD_MS_MAX),
    });
    await answer.arrayBuffer();
    return { status: answer.status, answer: String(answer.status) };
  } catch (error) {
    return { status: BAD_GATEWAY, answer: `no answer: ${reasonOf(error)}` };
  }
}

/** `fetch` says only that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return (cause instanceof Error && cause.message) || messageOf(error);
}
