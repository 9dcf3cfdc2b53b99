import type { Route } from '../../../../server/platform/http/route.ts';
import { Refusal } from '../../../../server/platform/http/refusals.ts';
import { ROUTES } from '../../../../server/routes.ts';

/** Every route of the API. */
export const DECLARED: readonly Route[] = ROUTES.filter(({ surface }) => surface === 'v1');

/** What a bare route answers to a request that passes its declaration. */
export const PASSED = 'the request fits';

/** The same routes with nothing but their declarations: whatever the path names is there, and nothing is done. */
export const BARE: readonly Route[] = DECLARED.map((declared) => ({
  ...declared,
  find: declared.find && (async () => ({})),
  prepare: undefined,
  handle: async () => {
    throw new Refusal('simulation_refused', { problem: PASSED });
  },
}));

/** A path of this route, with something in place of each parameter. */
export function somePath({ path }: Pick<Route, 'path'>): string {
  return path.replace(/\{\w+\}/g, 'x');
}
