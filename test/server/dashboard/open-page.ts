import { FLUSH_MS } from '../../../server/dashboard/live.ts';
import type { WatchTarget } from '../../../server/dashboard/view.ts';
import type { World } from '../../../testing/world/world.ts';
import { livePage, type LivePage } from './live-page.ts';

/** The token that the dashboard link of a world carries. */
export function tokenOf({ server }: World): string {
  return server.services.settings.dashboardToken;
}

/** A page that was let in, and told how everything stands. */
export async function openPage(world: World, target: WatchTarget | null = null): Promise<LivePage> {
  const page = livePage();
  world.server.dashboard.live.accept(page);
  page.sendText({ type: 'session', token: tokenOf(world) });
  if (target) page.sendText({ type: 'watch', target });
  await world.advance({ ms: FLUSH_MS });
  return page;
}
