import type { FastifyReply } from 'fastify';
import { exchangeOf } from '../calls/exchange.ts';

/** A reply with its text; `headers` has names and values in turn, without `content-length`. */
export interface ReplyAsText {
  status: number;
  headers: readonly string[];
  text: string;
}

/** Sends a reply as it is, without what Fastify does to find out what it sends. */
export function sendText(reply: FastifyReply, { status, headers, text }: ReplyAsText): void {
  const exchange = exchangeOf(reply.request.raw);
  if (exchange) exchange.answer = text;
  const bytes = Buffer.byteLength(text);
  reply.hijack();
  // Text of ASCII alone has the same bytes in Latin-1, which Node writes faster.
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  reply.raw.writeHead(status, [...headers, 'content-length', String(bytes)]).end(text, encoding);
}
