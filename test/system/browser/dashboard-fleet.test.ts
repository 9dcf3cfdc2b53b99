import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from './browser.ts';
import { inputCounts, openDashboard } from './dashboard-page.ts';
import type { Json } from '../kit/http-call.ts';
import { realTime } from '../kit/wait-for.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  fixture.onCleanUp(() => browser.close());
});
afterAll(() => fixture.cleanUp());

const TERMINALS = 200;

// Run in the browser: a tile that is drawn anew has no mark.
const MARK_TILES = `document.querySelectorAll('.tile').forEach((tile) => (tile.isMarked = true))`;
const COUNT_MARKED = `[...document.querySelectorAll('.tile')].filter(({ isMarked }) => isMarked).length`;

test('dashboard: changes the tiles of two hundred terminals that pay at once, and draws none anew', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  const sim = fixture.command(['sim', '--terminals', String(TERMINALS), '--json'], {
    env: { TAPBENCH_URL: tapbench.url, SECRET_KEY: tapbench.secretKey },
  });
  const [line] = await sim.prints(/^\{.*\}$/m);
  const ids: string[] = JSON.parse(line).terminals.map(({ id }: Json) => id);
  const { page, errors } = await openDashboard(browser, tapbench.dashboardUrl);
  await expect.poll(() => page.locator('.tile').count()).toBe(TERMINALS);

  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  const payments = ids.map((id) => tapbench.api('POST', `/v1/in-person/terminals/${id}/payment`, body));
  const filter = page.getByRole('searchbox', { name: 'Filter terminals' });
  const startMs = realTime.nowMs();
  await filter.fill('0042');
  await expect.poll(() => page.locator('.tile').count(), { interval: 10, timeout: 10_000 }).toBe(1);
  console.log(`  while they pay, the fleet was filtered within ${realTime.nowMs() - startMs} ms`);
  await filter.fill('');
  await expect.poll(() => page.locator('.tile').count()).toBe(TERMINALS);
  await page.evaluate(MARK_TILES);
  await Promise.all(payments);
  const paid = page.locator('.tile:has(.outcome.good)');
  await expect.poll(() => paid.count(), { timeout: 60_000 }).toBe(TERMINALS);

  const { longTasksMs } = await inputCounts(page);
  const longest = Math.max(0, ...longTasksMs);
  console.log(`  ${longTasksMs.length} tasks of the page took 50 ms and more, the longest ${longest} ms`);
  expect(await page.evaluate(COUNT_MARKED)).toBe(TERMINALS);
  expect(errors).toEqual([]);
});
