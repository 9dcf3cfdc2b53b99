import { afterAll, expect, test } from 'vitest';
import { TAGS } from '../../server/platform/http/tags.ts';
import { startBrowser, openPage } from './browser.ts';
import { createSystemFixture } from './system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

test('API reference: opens in a browser, loads nothing from outside, and shows every tag', async () => {
  const [tapbench, browser] = await Promise.all([fixture.tapbench({ command: 'server' }), startBrowser()]);
  fixture.onCleanUp(() => browser.close());
  const { page, requested, errors } = await openPage(browser);
  await page.goto(`${tapbench.url}/docs`);
  await page.locator('.opblock-tag').first().waitFor();
  const shown = await page.locator('.opblock-tag > a').allInnerTexts();
  expect(shown.sort()).toEqual(Object.keys(TAGS).sort());

  await page.getByRole('link', { name: 'Payment session', exact: true }).click();
  await page.getByText('/payment-sessions/attempt-payment').first().click();
  await page.getByText('clientSecret').first().waitFor();
  const outside = requested.filter((url) => /^https?:/.test(url) && !url.startsWith(tapbench.url));
  expect(outside).toEqual([]);
  expect(errors).toEqual([]);
});
