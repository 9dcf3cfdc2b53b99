import type { Route } from '../../../../server/platform/http/route.ts';
import { Refusal } from '../../../../server/platform/http/refusals.ts';
import { allRoutes } from '../../../../server/routes.ts';
import type { Services } from '../../../../server/platform/services.ts';

// Whatever a set of routes asks of the services while it is declared comes to nothing.
const nothing: object = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing });

/** Every route of the API as it is declared, without a server behind it. */
export const DECLARED: readonly Route[] = allRoutes(nothing as Services, undefined).filter(
  ({ surface }) => surface === 'v1',
);

/** What a bare route answers to a request that passes its declaration. */
export const PASSED = 'the request fits';

/** The same routes with nothing but their declarations: whatever the path names is there, and nothing is done. */
export function bareRoutes(): Route[] {
  return DECLARED.map((declared) => ({
    ...declared,
    find: declared.find && (async () => ({})),
    handle: async () => {
      throw new Refusal('simulation_refused', { problem: PASSED });
    },
  }));
}

/** A path of this route, with something in place of each parameter. */
export function somePath({ path }: Pick<Route, 'path'>): string {
  return path.replace(/\{\w+\}/g, 'x');
}
