import { drillsOf, type DrillParts } from '../dashboard/drills/drill-routes.ts';
import { SHOPS, type DrillDetail } from '../dashboard/drills/drill-view.ts';
import { dataBlock, packJson, readPageParts, renderOfflinePage } from '../dashboard/offline-page.ts';
import { plainRoute } from '../platform/http/pages/plain-route.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import { loadLayOut, pageOf, savedPage } from './recording-page.ts';
import { readTrace } from './trace-file.ts';
import { traceBlock } from './trace-page.ts';

const PAGE_FOLDER = 'server/dashboard/drill-page';
/** Characters of JSON that the page has of the items of each trace. */
const CHARACTERS_MAX = 4_000_000;

interface DrillPageParts extends DrillParts {
  services: Pick<Services, 'realClock' | 'settings'>;
}

/** The route that returns a drill that was played as one HTML page: both shops side by side, with their traces. */
const drillPageRoute = plainRoute({
  method: 'GET',
  path: '/dashboard/drills/{name}/page',
  async handle(request, parts: DrillPageParts) {
    await parts.guard(request);
    const { drill, play, traces } = await drillsOf(parts).shared(request.params.name);
    const layOut = await loadLayOut(parts.services.realClock);
    const blocks = [dataBlock('drill', packJson({ drill, play } satisfies DrillDetail))];
    for (const shop of SHOPS) {
      const file = traces.get(shop);
      if (!file) continue;
      const limits = { layOut, characters: CHARACTERS_MAX };
      blocks.push(await traceBlock(`trace-${shop}`, await readTrace(file), limits));
    }
    const page = renderOfflinePage(readPageParts(PAGE_FOLDER), { title: `Drill: ${drill.title}`, blocks });
    return savedPage(`drill-${drill.name}`, page);
  },
});

/** The route that returns the trace of one shop of a drill as a page, for the viewer of recordings. */
const shopTraceRoute = plainRoute({
  method: 'GET',
  path: '/dashboard/drills/{name}/traces/{shop}',
  async handle(request, parts: DrillPageParts) {
    await parts.guard(request);
    const { name, shop } = request.params;
    const { traces } = await drillsOf(parts).shared(name);
    const file = traces.get(shop);
    if (!file) throw new Refusal('not_found', { what: 'trace of the drill' });
    return savedPage(`drill-${name}-${shop}`, await pageOf(await readTrace(file), parts.services));
  },
});

/** The routes of the pages of a drill. */
export const drillPageRoutes = [drillPageRoute, shopTraceRoute];
