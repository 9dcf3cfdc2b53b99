import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf, routerPattern } from '../path-params.ts';
import { Refusal } from '../refusals.ts';
import type { Method, Route } from '../route.ts';

/** The router gives longer parameters to no route (`maxParamLength` of Fastify). */
const PARAM_LENGTH_MAX = 100;

/** Methods that a known path refuses with 405 when it does not serve them; it does not know others. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);

/**
 * Responds to the requests that no route serves: 404 to an unknown path, 405 to a known path with another method, and
 * the preflight of the public routes. A table in place of a route for each such method, since adding one takes long.
 */
export function refuseUnserved(http: FastifyInstance, routes: readonly Route[]): void {
  const paths = servedPaths(routes);

  http.setNotFoundHandler((request, reply) => {
    const { method } = request;
    const path = pathOf(request.url);
    if (path.endsWith('/') && routesAt(paths, path.slice(0, -1))) throw new Refusal('final_slash', { path });
    const here = KNOWN_METHODS.has(method) ? routesAt(paths, request.url) : undefined;
    if (!here) throw new Refusal('unknown_path', { path });
    if (method !== 'OPTIONS' || !here.some(({ access }) => access === 'public'))
      throw new Refusal('wrong_method', { method });
    return allow(request, reply, here);
  });
  for (const { path, methods } of shadowedMethods(paths)) {
    http.route({
      method: methods,
      url: routerPattern(path),
      handler: ({ method }) => {
        throw new Refusal('wrong_method', { method });
      },
    });
  }
}

function allow(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): FastifyReply {
  return reply
    .headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': routes.map(({ method }) => method).join(', '),
      'access-control-allow-headers':
        request.headers['access-control-request-headers'] ?? 'authorization, content-type',
      'access-control-max-age': '600',
    })
    .send('');
}

interface ServedPath {
  path: string;
  segments: readonly string[];
  parameters: number;
  routes: readonly Route[];
}

/** Returns the paths of the routes, those with the fewest parameters first. */
function servedPaths(routes: readonly Route[]): ServedPath[] {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  return [...byPath]
    .map(([path, here]) => {
      const segments = path.split('/');
      return { path, segments, parameters: segments.filter(isParameter).length, routes: here };
    })
    .sort((one, other) => one.parameters - other.parameters);
}

/** Finds the routes at the path of a URL, whatever their method. The router has refused what cannot be decoded. */
function routesAt(paths: readonly ServedPath[], url: string): readonly Route[] | undefined {
  const segments = url.split(/[?#]/, 1)[0]!.split('/').map(decodeURIComponent);
  return paths.find((served) => matches(served.segments, segments))?.routes;
}

/**
 * Returns the methods that a path does not serve and another path with a parameter would serve in its place: the
 * router would take `GET /accounts/authorize` for an account.
 */
function shadowedMethods(paths: readonly ServedPath[]): { path: string; methods: Method[] }[] {
  return paths.flatMap(({ path, segments, parameters, routes }) => {
    const own = new Set(routes.map(({ method }) => method));
    const methods = paths
      .filter((other) => other.parameters > parameters && matches(other.segments, segments))
      .flatMap((other) => other.routes.map(({ method }) => method))
      .filter((method) => !own.has(method));
    return methods.length > 0 ? [{ path, methods: [...new Set(methods)] }] : [];
  });
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) =>
      isParameter(part) ? segments[index]!.length <= PARAM_LENGTH_MAX : part === segments[index],
    )
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
