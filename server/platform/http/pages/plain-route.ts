import type { FastifyInstance } from 'fastify';
import type { Services } from '../../services.ts';
import { routerPattern, type ParamNames, type Params } from '../path-params.ts';
import { servicesOf } from '../request-context.ts';

/**
 * A route that is not part of the API nor of the OpenAPI document: those of the dashboard. `Parts` is what it needs of
 * the server that received the request.
 */
export interface PlainRoute<Parts = unknown> {
  method: 'GET' | 'POST';
  /** Path of this server, with `{name}` parameters. */
  path: string;
  handle: (request: PlainRequest<string>, parts: Parts) => Promise<PlainResponse>;
}

/** A request to a plain route. `Names` are the parameters of its path. */
export interface PlainRequest<Names extends string = never> {
  params: Params<Names>;
  /** A parameter of the query; the first when there are several. */
  query(name: string): string | undefined;
  /** Text of the body; empty for a GET. */
  body: string;
  /** A header by its name in lower case; the first when there are several. */
  header(name: string): string | undefined;
  /** IP address of the other end of the connection. */
  senderAddress: string;
}

export interface PlainResponse {
  status?: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** A JSON response that is not cached. */
export function jsonResponse(value: unknown): PlainResponse {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return { headers, body: JSON.stringify(value) };
}

/** A plain route whose handler gets the parameters that its path names. */
export function plainRoute<const Path extends string, Parts = unknown>(declaration: {
  method: PlainRoute['method'];
  path: Path;
  handle: (request: PlainRequest<ParamNames<Path>>, parts: Parts) => Promise<PlainResponse>;
}): PlainRoute<Parts> {
  return declaration;
}

/**
 * Adds plain routes to a routing. Refusals that `handle` throws are sent as those of the API.
 * @param partsOf returns what the routes need of the server with these services
 */
export function servePlainRoutes<Parts>(
  http: FastifyInstance,
  routes: readonly PlainRoute<Parts>[],
  partsOf: (services: Services) => Parts,
): void {
  for (const { method, path, handle } of routes) {
    http.route<{ Params: Record<string, string> }>({
      method,
      url: routerPattern(path),
      handler: async (request, reply) => {
        const plain = {
          params: request.params,
          query(name: string) {
            const value = (request.query as Record<string, string | string[] | undefined>)[name];
            return Array.isArray(value) ? value[0] : value;
          },
          body: typeof request.body === 'string' ? request.body : '',
          header(name: string) {
            const value = request.headers[name];
            return Array.isArray(value) ? value[0] : value;
          },
          senderAddress: request.socket.remoteAddress ?? '',
        };
        const answer = await handle(plain, partsOf(servicesOf(request)));
        return reply
          .code(answer.status ?? 200)
          .headers(answer.headers)
          .send(answer.body);
      },
    });
  }
}
