import type { FastifyReply } from 'fastify';
import { exchangeOf } from './exchange.ts';

/**
 * Sends a reply as it is, without what Fastify does to find out what it sends.
 * @param headers names and values in turn; `content-length` is added
 */
export function sendText(
  reply: FastifyReply,
  { status, headers, text }: { status: number; headers: readonly string[]; text: string },
): void {
  const exchange = exchangeOf(reply.request.raw);
  if (exchange) exchange.answer = text;
  const bytes = Buffer.byteLength(text);
  reply.hijack();
  // Text of ASCII alone has the same bytes in Latin-1, which Node writes faster.
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  reply.raw.writeHead(status, [...headers, 'content-length', String(bytes)]).end(text, encoding);
}
