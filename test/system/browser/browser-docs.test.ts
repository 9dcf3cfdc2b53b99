import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TAGS } from '../../../server/platform/http/openapi/tags.ts';
import { accessibilityProblems } from './accessibility.ts';
import { looks } from './looks.ts';
import { openPage, type BrowserPage } from './browser.ts';
import { createPictureFixture } from './picture-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const { fixture, folder, browser } = createPictureFixture();

/** Opens the reference, as who came by the printed link does, or as anyone. */
async function openReference({ url, dashboardUrl }: Tapbench, { byLink = true } = {}): Promise<BrowserPage> {
  const opened = await openPage(browser());
  if (byLink) {
    await opened.page.goto(dashboardUrl);
    await opened.page.locator('span.link').waitFor();
  }
  await opened.page.goto(`${url}/docs`);
  await opened.page.locator('.opblock-tag').first().waitFor();
  return opened;
}

/** Opens the payment of a terminal, and sends its example. */
async function tryPayment({ page }: BrowserPage, { terminals }: Tapbench): Promise<void> {
  await page.locator('#operations-tag-In-person_terminal .expand-operation').click();
  await page.locator('[data-path="/v1/in-person/terminals/{id}/payment"]').click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByPlaceholder('id', { exact: true }).fill(terminals[0]!.id);
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table').waitFor();
}

test('API reference: opens in a browser, loads nothing from outside, and shows every tag', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  const { page, requested, errors } = await openReference(tapbench, { byLink: false });
  const shown = async () => (await page.locator('.opblock-tag > a').allInnerTexts()).sort();
  await expect.poll(shown).toEqual(Object.keys(TAGS).sort());
  await page.getByText('enter a key under Authorize').waitFor();

  await page.getByRole('link', { name: 'Payment session', exact: true }).click();
  await page.getByText('/payment-sessions/attempt-payment').first().click();
  await page.getByText('clientSecret').first().waitFor();
  const outside = requested.filter((url) => /^https?:/.test(url) && !url.startsWith(tapbench.url));
  expect(outside).toEqual([]);
  expect(errors).toEqual([]);

  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.getByLabel('Secret key').waitFor();
});

test('API reference: sends the example of an operation with the key of who came by the link, and does not show it', async () => {
  const tapbench = await fixture.tapbench();
  const opened = await openReference(tapbench);
  await opened.page.getByText('The keys of this sandbox are filled in').waitFor();
  await tryPayment(opened, tapbench);
  expect(
    await opened.page.locator('.live-responses-table tbody .response-col_status').first().innerText(),
  ).toBe('200');
  const curl = await opened.page.locator('.curl-command').innerText();
  expect(curl).toContain('-H "Authorization: $SECRET_KEY"');
  expect(await opened.page.content()).not.toContain(tapbench.secretKey);
  const { body } = await tapbench.api('GET', `/v1/in-person/terminals/${tapbench.terminals[0]!.id}`);
  expect(body.action.transaction.amounts.requested).toBe(1250);
  expect(opened.errors).toEqual([]);
});

test('API reference: a search shows the operations with its words, and an empty one all tags', async () => {
  const { page } = await openReference(await fixture.tapbench({ command: 'server' }), { byLink: false });
  const search = page.getByRole('searchbox', { name: 'Search operations' });
  await search.fill('keypad press');
  await page
    .getByRole('status')
    .filter({ hasText: /^1 of \d+ operations$/ })
    .waitFor();
  await page.locator('[data-path="/sandbox/terminals/{id}/press-keys"]').waitFor();
  await expect.poll(() => page.locator('.opblock').count()).toBe(1);
  await search.fill('');
  await page.locator('.opblock-tag').nth(10).waitFor();
  await expect.poll(() => page.locator('.opblock').count()).toBe(0);
});

test.each(looks('light-1440', 'dark-1280', 'light-390', 'dark-390'))(
  'API reference: has no accessibility problem, $look',
  async ({ look, size, dark }) => {
    const tapbench = await fixture.tapbench();
    const opened = await openReference(tapbench);
    const { page } = opened;
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    const check = async (name: string) => {
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.screenshot({ path: join(folder, `reference-${name}-${look}.png`) });
    };
    await page.getByText('The keys of this sandbox are filled in').waitFor();
    await check('tags');
    await tryPayment(opened, tapbench);
    await check('operation');
    for (const schema of await page.locator('.opblock .tab button', { hasText: 'Schema' }).all())
      await schema.click();
    await page.locator('.json-schema-2020-12-expand-deep-button').first().click();
    await check('schemas');
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.modal-ux').waitFor();
    await check('keys');
  },
);
