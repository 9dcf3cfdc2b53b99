import { servedVerificationFile } from './api/wallets/wallet-domain-service.ts';
import { DASHBOARD_ROUTES, type Dashboard } from './dashboard/serve-dashboard.ts';
import { PAGES, ROUTES } from './routes.ts';
import { servePages } from './platform/http/pages/page.ts';
import { servePlainRoutes } from './platform/http/pages/plain-route.ts';
import { serveGuides } from './platform/http/guides/serve-guides.ts';
import { createRouting, type Routing } from './platform/http/routing.ts';
import { serveFile } from './platform/http/pages/served-file.ts';
import { serveRoutes } from './platform/http/serve.ts';
import type { Services } from './platform/services.ts';
import type { Mode } from './platform/settings.ts';
import { drillPageRoutes } from './traces/drill-page.ts';
import { recordingPageRoutes } from './traces/recording-page.ts';
import type { RecordedServices } from './traces/recordings.ts';

const routings = new Map<Mode, Promise<Routing>>();
/** What the pages of the dashboard need of their server. */
type PageServices = Dashboard['parts'] & Pick<RecordedServices, 'recordings'>;
const pageServices = new WeakMap<Services, PageServices>();

/** Returns the routing of everything that a server of this mode serves, which all such servers of the process share. */
export function routingOf(mode: Mode): Promise<Routing> {
  const known = routings.get(mode);
  if (known) return known;
  const created = createRouting((http) => {
    serveRoutes(http, mode, ROUTES);
    servePages(http, PAGES);
    serveGuides(http);
    serveFile(http, servedVerificationFile);
    const partsOf = (services: Services) => pageServices.get(services)!;
    servePlainRoutes(http, DASHBOARD_ROUTES, partsOf);
    servePlainRoutes(http, recordingPageRoutes, partsOf);
    servePlainRoutes(http, drillPageRoutes, partsOf);
  });
  routings.set(mode, created);
  return created;
}

/** Sets the dashboard of the server with these services. */
export function setDashboard(services: RecordedServices, { parts }: Dashboard): void {
  pageServices.set(services, { ...parts, recordings: services.recordings });
}
