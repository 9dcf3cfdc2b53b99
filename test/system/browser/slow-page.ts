import type { Page } from 'playwright-core';

/**
 * Makes a page slow when `SLOW_PAGE` is set: each of its requests takes so many milliseconds more, while its WebSocket
 * is as fast as ever. A test that does not wait for what it looks at fails then.
 */
export async function slowDown(page: Page): Promise<void> {
  const latency = Number(process.env['SLOW_PAGE'] ?? 0);
  if (!(latency > 0)) return;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, ...unlimited });
}
