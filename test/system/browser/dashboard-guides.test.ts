import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openPage } from './browser.ts';
import { openDashboard } from './dashboard-page.ts';
import { createPictureFixture } from './picture-fixture.ts';

const { fixture, browser } = createPictureFixture();

const EXAMPLE = 'pre code:has-text("curl")';

test('documents: their examples have the address of the server, and its keys in a browser with the token', async () => {
  const tapbench = await fixture.tapbench();
  const { origin } = new URL(tapbench.dashboardUrl);
  const guide = `${origin}/guides/docs/in-person-payments.md`;

  const stranger = await openPage(browser());
  await stranger.page.goto(guide);
  await stranger.page.locator('html[data-filled-in=address]').waitFor();
  const without = await stranger.page.locator(EXAMPLE).first().innerText();
  expect(without).toContain(`curl ${origin}/v1/`);
  expect(without).toContain('$SECRET_KEY');
  expect(await stranger.page.content()).not.toContain(tapbench.secretKey);

  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl);
  await page.goto(guide);
  await page.locator('html[data-filled-in=keys]').waitFor();
  const own = await page.locator(EXAMPLE).first().innerText();
  expect(own).toContain(`curl ${origin}/v1/`);
  expect(own).toContain(tapbench.secretKey);
  expect(own).not.toContain('$SECRET_KEY');
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(errors).toEqual([]);
});
