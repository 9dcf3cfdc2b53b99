import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { ReceivedBody } from './check-call.ts';
import type { RefusalName } from '../refusals.ts';
import type { Route } from '../route.ts';

/** What the server found out about a request while it answered it. */
export interface Exchange {
  /** Undefined for a request that the HTTP library refuses before it is routed. */
  request?: FastifyRequest;
  /** The route that serves it. */
  route?: Route;
  /** The body, where the handler read it. */
  received?: ReceivedBody;
  /** The answer as it was sent. */
  answer?: string;
  /** The refusal and the id in the answer. */
  refusal?: RefusalName;
  requestId?: string;
  /** The id that the request is stored with, where something has named it before. */
  storedId?: string;
}

const EXCHANGE = Symbol('exchange of a request');

type ReceivedRequest = IncomingMessage & { [EXCHANGE]?: Exchange };

/** Begins the exchange of a request that is to be stored or watched, or returns the one that it has. */
export function beginExchange(request: IncomingMessage): Exchange {
  return ((request as ReceivedRequest)[EXCHANGE] ??= {});
}

/** Lets the exchange of a request, if it has one, know the body that is being read. */
export function noteReceived({ raw }: Pick<FastifyRequest, 'raw'>, received: ReceivedBody): void {
  const exchange = exchangeOf(raw);
  if (exchange) exchange.received = received;
}

/** Returns the exchange of a request; undefined when it is not stored. */
export function exchangeOf(request: IncomingMessage): Exchange | undefined {
  return (request as ReceivedRequest)[EXCHANGE];
}
