import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openDashboard, type DashboardPage } from './dashboard-page.ts';
import { ALL_LOOKS } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';

const { fixture, folder, browser } = createPictureFixture();

const PLAY_MS_MAX = 60_000;

const shop = ({ page }: Pick<DashboardPage, 'page'>, which: 'wrong' | 'right') =>
  page.getByRole('region', { name: `The ${which} shop` });

/** Plays the drill that is shown to its end. */
async function play(user: DashboardPage): Promise<void> {
  await user.button('Play').click();
  await user.button('Play again').waitFor({ timeout: PLAY_MS_MAX });
}

test('dashboard: a drill is played, both shops are watched side by side, and the page that is sent shows the same', async () => {
  const tapbench = await fixture.tapbench();
  const user = await openDashboard(browser(), tapbench.dashboardUrl);
  const { page, button, errors } = user;
  await page.getByRole('link', { name: 'Drills', exact: true }).click();
  await page.getByRole('link', { name: /^The reply to a payment is lost/ }).click();
  await page.getByRole('heading', { level: 1, name: 'The reply to a payment is lost' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/drills/lost-reply');
  await button('Play').click();
  // While it is played.
  await shop(user, 'wrong').getByText('starts a payment for order-1').waitFor();
  await shop(user, 'right').getByText('looks whether the request was done').waitFor({ timeout: PLAY_MS_MAX });
  expect(await button('Playing…').isDisabled()).toBe(true);
  await button('Play again').waitFor({ timeout: PLAY_MS_MAX });

  const wrong = shop(user, 'wrong');
  const right = shop(user, 'right');
  expect(await wrong.getByRole('status').innerText()).toMatch(
    /Money was lost: 17\.42 GBP\s+The order order-1 was charged 2 times/i,
  );
  expect(await right.getByRole('status').innerText()).toContain('Nothing was lost');
  expect(await wrong.locator('.drill-money').innerText()).toMatch(
    /34\.84 GBP taken[^]*order-1: 17\.42 GBP, paid/,
  );
  expect(await wrong.getByText('no reply', { exact: true }).count()).toBeGreaterThan(0);
  const [left, beside] = await Promise.all([wrong.boundingBox(), right.boundingBox()]);
  expect(Math.abs(left!.y - beside!.y)).toBeLessThan(2);
  expect(beside!.x).toBeGreaterThan(left!.x + left!.width - 1);
  await page.getByRole('link', { name: /^The reply to a payment is lost.*shown/ }).waitFor();
  await page.getByText('A correct shop looks for a payment with the order in its metadata').waitFor();
  await page.screenshot({ path: join(folder, 'drill-played.png') });

  const downloading = page.waitForEvent('download');
  await button('Download page').click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('drill-lost-reply.html');
  const saved = join(fixture.folder(), 'page.html');
  await download.saveAs(saved);
  const [viewer] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Timeline of the wrong shop' }).click(),
  ]);
  await viewer.getByRole('heading', { name: 'Drill lost-reply, the wrong shop' }).waitFor();
  await viewer.getByRole('button', { name: 'Play', exact: true }).click();

  const sent = await openFile(saved);
  await sent.page.getByRole('heading', { level: 1, name: 'The reply to a payment is lost' }).waitFor();
  expect(await shop(sent, 'wrong').innerText()).toBe(await wrong.innerText());
  expect(await accessibilityProblems(sent.page)).toEqual([]);
  await sent.page.getByRole('link', { name: 'Timeline of the right shop' }).click();
  await sent.page.getByRole('slider', { name: 'Entry' }).waitFor();
  expect(await accessibilityProblems(sent.page)).toEqual([]);
  await sent.page.getByRole('link', { name: 'Side by side' }).click();
  await shop(sent, 'right').getByText('Nothing was lost').waitFor();
  expect([...errors, ...sent.errors]).toEqual([]);
});

/** Opens a file as somebody who got it, with no server. */
async function openFile(path: string) {
  const context = await browser().newContext({ offline: true });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(pathToFileURL(path).href);
  return { page, errors };
}

test('dashboard: the address of a drill opens it for another window, which sees what was played', async () => {
  const tapbench = await fixture.tapbench();
  const first = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/drills/refund-twice' });
  const second = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/drills/rate-limited' });
  await first.button('Play').click();
  // One at a time.
  await second.page.getByText('One drill is played at a time').waitFor();
  expect(await second.button('Play').isDisabled()).toBe(true);
  await first.button('Play again').waitFor({ timeout: PLAY_MS_MAX });
  await second.page.getByText('One drill is played at a time').waitFor({ state: 'detached' });
  await second.page.goto(first.page.url());
  await shop(second, 'wrong').getByText('Money was lost: 5.00 GBP').waitFor();
  await second.page.evaluate(`location.hash = '#/drills/no-such-drill'`);
  await second.page.getByRole('alert').filter({ hasText: 'no such drill' }).waitFor();
});

test('dashboard: where a drill needs simulated terminals it says so, and another sandbox leads to where drills are', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  const user = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/drills/lost-reply' });
  await user.page.getByText('This drill cannot be played here: it needs a simulated terminal').waitFor();
  expect(await user.button('Play').isDisabled()).toBe(true);
  expect(await accessibilityProblems(user.page)).toEqual([]);
  const { dashboardUrl } = (await tapbench.api('POST', '/sandboxes', { name: 'other' })).body;
  const other = await openDashboard(browser(), dashboardUrl, { at: '#/drills/late-webhook' });
  await other.page.getByRole('heading', { name: 'No drills here' }).waitFor();
  expect(await other.page.getByRole('link', { name: 'Open them there' }).getAttribute('href')).toBe(
    '/#/drills/late-webhook',
  );
});

test('dashboard: the drills are accessible and fit, on each screen', async () => {
  const tapbench = await fixture.tapbench();
  const user = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/drills/duplicate-webhook' });
  await play(user);
  for (const { look, size, dark } of ALL_LOOKS) {
    for (const at of ['#/drills', '#/drills/duplicate-webhook']) {
      const onlooker = await openDashboard(browser(), tapbench.dashboardUrl, { at, size, dark });
      const { page } = onlooker;
      await (at === '#/drills'
        ? page.getByRole('link', { name: /^An event is delivered twice at the same moment/ }).waitFor()
        : shop(onlooker, 'right').getByText('Nothing was lost').waitFor());
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      const name = at === '#/drills' ? 'drills' : 'drill';
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
      await onlooker.context.close();
    }
  }
});
