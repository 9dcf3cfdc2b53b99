import { DEFAULT_SANDBOX } from '../../../protocol/topics.ts';
import { jsonResponse, plainRoute, type PlainRoute } from '../../platform/http/pages/plain-route.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import type { Guard } from '../session.ts';
import type { DrillPlays } from './drill-plays.ts';

/** What the routes of drills need of the server that received the request. */
export interface DrillParts {
  services: { settings: Pick<Services['settings'], 'sandbox'> };
  guard: Guard;
  /** Of the server; only the dashboard of the sandbox `default` has them. */
  drills: DrillPlays | undefined;
}

/** Returns the drills of the server. @throws Refusal in another sandbox than `default`, and where none are played */
export function drillsOf({ services, drills }: Omit<DrillParts, 'guard'>): DrillPlays {
  if (drills) return drills;
  const { sandbox = DEFAULT_SANDBOX } = services.settings;
  throw new Refusal(sandbox === DEFAULT_SANDBOX ? 'no_drills' : 'not_the_default_key');
}

/** The routes that list drills, play one, and return how it goes on. A request names a drill and nothing else. */
export const drillRoutes: readonly PlainRoute<DrillParts>[] = [
  plainRoute({
    method: 'GET',
    path: '/dashboard/drills',
    async handle(request, parts: DrillParts) {
      await parts.guard(request);
      return jsonResponse(await drillsOf(parts).list());
    },
  }),
  plainRoute({
    method: 'GET',
    path: '/dashboard/drills/{name}',
    async handle(request, parts: DrillParts) {
      await parts.guard(request);
      return jsonResponse(await drillsOf(parts).find(request.params.name));
    },
  }),
  plainRoute({
    method: 'POST',
    path: '/dashboard/drills/{name}/play',
    async handle(request, parts: DrillParts) {
      await parts.guard(request);
      return jsonResponse(await drillsOf(parts).start(request.params.name));
    },
  }),
];
