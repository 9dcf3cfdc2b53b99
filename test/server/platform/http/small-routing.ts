import type { FastifyInstance } from 'fastify';
import type { Route } from '../../../../server/platform/http/route.ts';
import { createRouting, type Routing } from '../../../../server/platform/http/routing.ts';
import { serveRoutes } from '../../../../server/platform/http/serve.ts';
import type { Mode } from '../../../../server/platform/settings.ts';

const shared: Record<Mode, WeakMap<readonly Route[], Promise<Routing>>> = {
  sandbox: new WeakMap(),
  live: new WeakMap(),
};

/**
 * Returns the routing of some routes. Servers with the same array of routes share it, as the servers of a process do.
 * @param addMore adds more than routes; the routing is then not shared
 */
export function smallRouting(
  routes: readonly Route[],
  mode: Mode = 'sandbox',
  addMore?: (http: FastifyInstance) => void,
): Promise<Routing> {
  const known = addMore ? undefined : shared[mode].get(routes);
  if (known) return known;
  const created = createRouting((http) => {
    serveRoutes(http, mode, routes);
    addMore?.(http);
  });
  if (!addMore) shared[mode].set(routes, created);
  return created;
}
