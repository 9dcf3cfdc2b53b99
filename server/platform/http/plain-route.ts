import type { FastifyInstance } from 'fastify';
import type { ParamNames, Params } from './path-params.ts';

/** Something that this server serves besides its API and not in its description: parts of the dashboard. */
export interface PlainRoute {
  method: 'GET' | 'POST';
  /** Path of this server, with `{name}` parameters. */
  path: string;
  handle: (request: PlainRequest<string>) => Promise<PlainAnswer>;
}

/** A request to a plain route. `Names` are the parameters of its path. */
export interface PlainRequest<Names extends string = never> {
  params: Params<Names>;
  /** As it came; empty for a GET. */
  body: string;
  /** By its name in lower case; the first when there are several. */
  header(name: string): string | undefined;
  /** Whose connection it came over. */
  senderAddress: string;
}

export interface PlainAnswer {
  status?: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Nobody keeps the answer, and nothing of it runs. */
export function jsonAnswer(value: unknown): PlainAnswer {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return { headers, body: JSON.stringify(value) };
}

/** A plain route whose handler gets the parameters that its path names. */
export function plainRoute<const Path extends string>(declaration: {
  method: PlainRoute['method'];
  path: Path;
  handle: (request: PlainRequest<ParamNames<Path>>) => Promise<PlainAnswer>;
}): PlainRoute {
  return declaration as PlainRoute;
}

/** A refusal that is thrown by `handle` is answered as everywhere. */
export function servePlainRoutes(http: FastifyInstance, routes: readonly PlainRoute[]): void {
  for (const { method, path, handle } of routes) {
    http.route<{ Params: Record<string, string> }>({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const answer = await handle({
          params: request.params,
          body: typeof request.body === 'string' ? request.body : '',
          header(name) {
            const value = request.headers[name];
            return Array.isArray(value) ? value[0] : value;
          },
          senderAddress: request.socket.remoteAddress ?? '',
        });
        return reply
          .code(answer.status ?? 200)
          .headers(answer.headers)
          .send(answer.body);
      },
    });
  }
}
