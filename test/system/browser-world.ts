import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import type { Tapbench } from './tapbench.ts';
import { openWebShop, type WebShop } from './web-shop.ts';
import type { Workbench } from './workbench.ts';

/** A server, a shop that uses it, and a browser in front of both; gone with the bench. */
export async function browserWorld(
  bench: Workbench,
): Promise<{ tapbench: Tapbench; browser: Browser; shop: WebShop }> {
  const [tapbench, browser] = await Promise.all([bench.tapbench({ command: 'server' }), startBrowser()]);
  bench.later(() => browser.close());
  const shop = await openWebShop(tapbench);
  bench.later(() => shop.close());
  return { tapbench, browser, shop };
}
