import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { NARROW, openDashboard, WIDE } from './dashboard-page.ts';
import { createPictureFixture } from './picture-fixture.ts';

const { fixture, folder, browser } = createPictureFixture();

const CUSTOMER = { email: 'ana@corner.example', firstName: 'Ana', metadata: { order: '4711' } };
const SESSION = { amount: 1742, currency: 'GBP', customerEmail: CUSTOMER.email };

/** A server with a customer and a payment session that names it. */
async function shop() {
  const tapbench = await fixture.tapbench();
  await tapbench.api('POST', '/v1/customers', CUSTOMER);
  const { body: session } = await tapbench.api('POST', '/v1/payment-sessions', SESSION);
  return { tapbench, session };
}

test('dashboard: an object is found by its type, and its relations lead to others and back', async () => {
  const { tapbench, session } = await shop();
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/objects' });
  await page.locator('.object-list a', { hasText: session.id }).click();
  await page.getByRole('heading', { name: session.id, level: 1 }).waitFor();
  await page.locator('.object-history', { hasText: 'POST /v1/payment-sessions' }).waitFor();
  await page.getByRole('region', { name: 'Relations' }).getByRole('link', { name: /^ac_/ }).click();
  await page.getByRole('heading', { name: /^Account/, level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Relations' }).getByRole('link', { name: session.id }).click();
  await page.getByRole('heading', { name: session.id, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'State machine' }).click();
  await page.locator('.drawing svg').waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: any id leads to its object or request, and an unknown one is said to be unknown', async () => {
  const { tapbench } = await shop();
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/objects' });
  const search = page.getByLabel('Any id, serial number or e-mail address');
  await search.fill('ps_nothing');
  await button('Find').click();
  await page.locator('.object-found', { hasText: 'ps_nothing' }).waitFor();
  await search.fill(CUSTOMER.email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Customer/, level: 1 }).waitFor();
  await page.locator('.object-history a', { hasText: 'POST /v1/customers' }).click();
  await page.locator('.request-head', { hasText: 'POST /v1/customers' }).waitFor();
  const request = page.url().match(/req_\w+/)![0];
  await page.goto(`${page.url().split('#')[0]}#/objects`);
  await search.fill(request);
  await button('Find').click();
  await page.waitForURL(new RegExp(`#/requests/${request}`));
});

test.each([
  { name: '1440-light', size: { width: 1440, height: 900 }, dark: false },
  { name: '1440-dark', size: { width: 1440, height: 900 }, dark: true },
  { name: '1280-light', size: WIDE, dark: false },
  { name: '390-light', size: NARROW, dark: false },
  { name: '390-dark', size: NARROW, dark: true },
])('dashboard: the list of objects and an object have no accessibility problem, $name', async (look) => {
  const { tapbench, session } = await shop();
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/objects', ...look });
  await page.locator('.object-list a', { hasText: session.id }).waitFor();
  await page.screenshot({ path: join(folder, `objects-${look.name}.png`) });
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator('.object-list a', { hasText: session.id }).click();
  await page.locator('.object-history').waitFor();
  await page.screenshot({ path: join(folder, `object-${look.name}.png`) });
  expect(await accessibilityProblems(page)).toEqual([]);
});
