import { FLUSH_MS } from '../../../server/dashboard/live.ts';
import type { Subject } from '../../../server/dashboard/view.ts';
import type { World } from '../../kit/world.ts';
import { livePage, type LivePage } from './live-page.ts';

/** A token, as the page asks for it on the machine itself. */
export async function tokenOf(world: World): Promise<string> {
  const { body } = await world.api.raw('POST', '/dashboard/session', '', { host: 'localhost:3000' });
  return body.token as string;
}

/** A page that was let in, and told how everything stands. */
export async function openPage(world: World, subject: Subject | null = null): Promise<LivePage> {
  const page = livePage();
  world.server.dashboard.live.accept(page);
  page.say({ type: 'session', token: await tokenOf(world) });
  if (subject) page.say({ type: 'watch', subject });
  await world.advance({ ms: FLUSH_MS });
  return page;
}
