import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { openWebShop, type WebShop } from './web-shop.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';

/** A server, a shop that uses it, and a browser in front of both; gone with the bench. */
export async function browserWorld(
  fixture: SystemFixture,
): Promise<{ tapbench: Tapbench; browser: Browser; shop: WebShop }> {
  const [tapbench, browser] = await Promise.all([fixture.tapbench({ command: 'server' }), startBrowser()]);
  fixture.onCleanUp(() => browser.close());
  const shop = await openWebShop(tapbench);
  fixture.onCleanUp(() => shop.close());
  return { tapbench, browser, shop };
}
